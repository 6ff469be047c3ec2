import { filter, firstValueFrom } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';

import { must } from '#shared/must.ts';
import { collectionNames } from '#shared/sync/wire.ts';
import { inSync, newDisk, signIn, startDevice, type Device } from '#test/desktop/engine/support/device.ts';
import { madeUpSession } from '#test/desktop/engine/support/made-up-session.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { loadWithPacks, smallPacks } from '#test/support/pack-calls.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

const guides = 60;
/** A long text, so that a pack takes more than one network chunk. */
const summary = 'How to change the belt of the grinder. '.repeat(5);

/** A device's connection to a real server, on which packs meet faults. */
interface Way {
  fetch: typeof globalThis.fetch;
  /** Paths of requests with their `Range`. */
  asked: string[];
  /** Received bytes of packs. */
  received: number;
  /** Runs before a pack is requested; its answer changes what arrives: as it is, cut after some bytes, or damaged. */
  meet: (path: string) => Promise<'whole' | 'damaged' | number>;
}

function wayTo(url: string, token: string): Way {
  const way: Way = {
    asked: [],
    received: 0,
    meet: async () => 'whole',
    fetch: async (input, init) => {
      const asked = new URL(input instanceof Request ? input.url : input);
      const session = madeUpSession(asked.pathname, init);
      if (session !== null) return session;
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `api ${token}`);
      const range = headers.get('range');
      way.asked.push(range === null ? asked.pathname : `${asked.pathname} ${range}`);
      if (asked.pathname === '/sync/1/bootstrap') way.asked.push(asked.search);
      const isPack = asked.pathname.startsWith('/sync/1/packs/');
      const fault = isPack ? await way.meet(asked.pathname) : 'whole';
      const response = await fetch(new URL(asked.pathname + asked.search, url), { ...init, headers });
      if (!isPack || !response.ok) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const { status } = response;
      if (fault === 'damaged')
        return new Response(
          bytes.map((byte) => byte ^ 1),
          { status },
        );
      const arrives = fault === 'whole' ? bytes : bytes.subarray(0, fault);
      way.received += arrives.length;
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(arrives);
            if (arrives.length === bytes.length) controller.close();
            // An immediate error would discard enqueued bytes.
            else setImmediate(() => controller.error(new TypeError('cut')));
          },
        }),
        { status },
      );
    },
  };
  return way;
}

interface World {
  server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  made: number[];
  way: Way;
}

async function world(): Promise<World> {
  const server = await startServer({ packs: { ...smallPacks, sizes: { least: 1000, most: 40_000 } } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const made: number[] = [];
  for (let index = 0; index < guides; index += 1) {
    const steps = [1, 2, 3].map((step) => ({ title: `Step ${step}`, lines: [{ text: summary }] }));
    const { guideid } = await ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title: `Belt ${index}`, public: true, steps },
    });
    made.push(guideid);
  }
  await server.packs.make();
  return { server, ana, ben, made, way: wayTo(server.url, ben.token) };
}

async function start(way: Way, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(way, disk));
}

/** All records of a device's mirror, with their facts. */
async function held({ core }: Device): Promise<string[]> {
  const all = await Promise.all(
    collectionNames.map(async (name) =>
      (await firstValueFrom(core.mirror.all(name))).map(
        ({ id, facts }) => `${name}/${id} ${JSON.stringify(facts)}`,
      ),
    ),
  );
  return all.flat().toSorted();
}

/** The records of an initial load without packs. */
async function heldAnew({ server, ben }: World): Promise<string[]> {
  const { rows } = await sync(server, ben, 'bootstrap?protocol=6-6');
  return rows.map(({ c, id, doc }) => `${c}/${id} ${JSON.stringify(doc)}`).toSorted();
}

/** The bytes of all packs with their titles. */
async function packedBytes({ server, ben }: World): Promise<number> {
  const { packs = [] } = (await loadWithPacks(server.url, ben)).head;
  expect(packs.length).toBeGreaterThan(2);
  return packs.reduce((sum, { bytes, titles }) => sum + bytes + (titles?.bytes ?? 0), 0);
}

async function rowsOf({ core }: Device): Promise<object[]> {
  const rows = await firstValueFrom(core.mirror.guideRows());
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
}

function packsAsked({ asked }: Way): string[] {
  return asked.filter((path) => path.startsWith('/sync/1/packs/'));
}

test('MIRROR-25 a load with packs brings what a load without them brings', async () => {
  const there = await world();
  const { server, way } = there;
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(await held(device)).toEqual(await heldAnew(there));
  expect(way.received).toBe(await packedBytes(there));
  // The fields of lists are the same, whether they come from titles or from facts.
  const rows = await rowsOf(device);
  // A process opens few databases at the same time.
  await device.close();
  const plain = wayTo(server.url, there.ben.token);
  plain.meet = async () => 'damaged';
  const other = await start(plain);
  await signIn(other);
  await inSync(other);
  expect(rows).toEqual(await rowsOf(other));
});

test('MIRROR-24 guides are listed as soon as their titles are there', async () => {
  const { server, ben, way, made } = await world();
  const { packs = [] } = (await loadWithPacks(server.url, ben)).head;
  const bodies = new Set(packs.map(({ hash }) => `/sync/1/packs/${hash}`));
  const gate = Promise.withResolvers<void>();
  way.meet = async (path) => {
    if (bodies.has(path)) await gate.promise;
    return 'whole';
  };
  const device = await start(way);
  await signIn(device);
  await expect.poll(async () => (await rowsOf(device)).length).toBe(made.length);
  expect(await rowsOf(device)).toEqual(
    made.map((id, index) =>
      expect.objectContaining({ id: String(id), title: `Belt ${index}`, isTitle: true }),
    ),
  );
  gate.resolve();
  await inSync(device);
  expect((await rowsOf(device)).filter((row) => 'isTitle' in row)).toEqual([]);
  expect(await rowsOf(device)).toHaveLength(made.length);
});

test('MIRROR-29 a guide that somebody opens comes before the others', async () => {
  const there = await world();
  const { server, ben, way, made } = there;
  const { packs = [] } = (await loadWithPacks(server.url, ben)).head;
  const bodies = new Set(packs.map(({ hash }) => `/sync/1/packs/${hash}`));
  const gate = Promise.withResolvers<void>();
  way.meet = async (path) => {
    if (bodies.has(path)) await gate.promise;
    return 'whole';
  };
  const device = await start(way);
  await signIn(device);
  await expect.poll(async () => (await rowsOf(device)).length).toBe(made.length);
  const opened = String(made.at(-1));
  const found = await firstValueFrom(
    device.core.mirror.one('guides', opened).pipe(filter((guide) => guide !== null)),
  );
  expect(found.facts.title).toBe(`Belt ${guides - 1}`);
  expect((await rowsOf(device)).filter((row) => !('isTitle' in row))).toMatchObject([{ id: opened }]);
  gate.resolve();
  await inSync(device);
  expect(await held(device)).toEqual(await heldAnew(there));
});

test('MIRROR-26 a load cut in a pack continues there, and transfers at most 1.1 times its bytes', async () => {
  const there = await world();
  const { way } = there;
  let cuts = 0;
  way.meet = async () => ((cuts += 1) % 3 === 0 && cuts < 20 ? 300 : 'whole');
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(await held(device)).toEqual(await heldAnew(there));
  expect(packsAsked(way).filter((path) => path.endsWith('bytes=300-'))).not.toEqual([]);
  expect(way.received).toBeLessThanOrEqual(1.1 * (await packedBytes(there)));
});

test('MIRROR-26 after a restart, packs that were stored are not fetched again', async () => {
  const there = await world();
  const { way } = there;
  const { packs = [] } = (await loadWithPacks(there.server.url, there.ben)).head;
  const disk = newDisk();
  const last = must(packs.at(-1), 'a pack').hash;
  way.meet = async (path) => (path.endsWith(last) ? 0 : 'whole');
  const first = await start(way, disk);
  await signIn(first);
  await expect.poll(() => packsAsked(way).filter((path) => path.includes(last)).length).toBeGreaterThan(1);
  await first.close();
  const before = way.received;
  way.meet = async () => 'whole';
  const second = await start(way, disk);
  const wanted = await heldAnew(there);
  await expect.poll(() => held(second)).toEqual(wanted);
  const whole = packs.find(({ hash }) => hash === last);
  expect(way.received - before).toBe((whole?.bytes ?? 0) + (whole?.titles?.bytes ?? 0));
});

test('MIRROR-27 when packs end during a load, it goes on with what there is then', async () => {
  const there = await world();
  const { ana, way, made } = there;
  const [edited = 0, removed = 0] = [made.at(-3), made[3]];
  const { packs = [] } = (await loadWithPacks(there.server.url, there.ben)).head;
  const titles = packs.filter((pack) => pack.titles !== undefined).length;
  let asked = 0;
  way.meet = async () => {
    asked += 1;
    if (asked === titles + 1) {
      const { revisionid } = await ana.client.guides.read({ params: { guideid: edited } });
      await ana.client.guides.patch({ params: { guideid: edited }, revisionid, body: { title: 'Renamed' } });
    }
    if (asked === titles + 2) {
      const { revisionid } = await ana.client.guides.read({ params: { guideid: removed } });
      await ana.client.guides.remove({ params: { guideid: removed }, revisionid });
    }
    return 'whole';
  };
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(way.asked.filter((path) => path === '/sync/1/bootstrap').length).toBeGreaterThan(1);
  expect(await held(device)).toEqual(await heldAnew(there));
});

test('MIRROR-28 after a damaged pack, the load goes on without packs', async () => {
  const there = await world();
  const { way } = there;
  way.meet = async () => 'damaged';
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(await held(device)).toEqual(await heldAnew(there));
  const queries = way.asked.filter((one) => one.startsWith('?'));
  expect(must(queries[0], 'the first load')).toContain('packs=1');
  expect(must(queries.at(-1), 'the last load')).not.toContain('packs=1');
});
