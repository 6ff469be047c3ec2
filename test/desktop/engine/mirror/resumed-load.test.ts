import { cp } from 'node:fs/promises';

import { firstValueFrom } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';

import { must } from '#shared/must.ts';
import { collectionNames } from '#shared/sync/wire.ts';
import { inSync, newDisk, signIn, startDevice, type Device } from '#test/desktop/engine/support/device.ts';
import { madeUpSession } from '#test/desktop/engine/support/made-up-session.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** A device's connection to a real server, on which initial loads are cut. */
interface Way {
  url: string;
  fetch: typeof globalThis.fetch;
  /** Received bytes of initial loads. */
  received: number;
  /** Query parameters of initial loads. */
  loads: URLSearchParams[];
  /** The number of bytes after which the next initial load is cut; null: not cut. */
  cutAfter: () => number | null;
  /** Runs before an initial load is requested. */
  before: () => Promise<void>;
  /** Rewrites requests and head lines like an older server. */
  isOlder: boolean;
}

function wayTo(url: string, token: string): Way {
  const way: Way = {
    url,
    received: 0,
    loads: [],
    cutAfter: () => null,
    before: async () => undefined,
    isOlder: false,
    fetch: async (input, init) => {
      const asked = new URL(input instanceof Request ? input.url : input);
      const session = madeUpSession(asked.pathname, init);
      if (session !== null) return session;
      const isLoad = asked.pathname === '/sync/1/bootstrap';
      if (isLoad) {
        await way.before();
        way.loads.push(asked.searchParams);
      }
      const there = new URL(asked.pathname + (isLoad && way.isOlder ? '' : asked.search), way.url);
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `api ${token}`);
      const response = await fetch(there, { ...init, headers });
      if (!isLoad || response.body === null) return response;
      return new Response(response.body.pipeThrough(arriving(way)), { status: response.status });
    },
  };
  return way;
}

function arriving(way: Way): TransformStream<Uint8Array, Uint8Array> {
  let left = way.cutAfter();
  return new TransformStream({
    transform(chunk, controller) {
      const arrives = left === null ? chunk : chunk.subarray(0, left);
      way.received += arrives.length;
      controller.enqueue(arrives);
      if (left === null) return;
      left -= arrives.length;
      // An immediate error would discard enqueued bytes.
      if (left === 0) setImmediate(() => controller.error(new TypeError('cut')));
    },
  });
}

/** Cuts each initial load after `bytes`, `times` times. */
function cutting(bytes: number, times: number): () => number | null {
  let left = times;
  return () => ((left -= 1) < 0 ? null : bytes);
}

const guides = 60;
/** A long text, so that a load takes more than one network chunk. */
const summary = 'How to change the belt of the grinder. '.repeat(5);

async function makeGuides(ana: TestPerson): Promise<number[]> {
  const made: number[] = [];
  for (let index = 0; index < guides; index += 1) {
    const steps = [1, 2, 3].map((step) => ({
      title: `Step ${step}`,
      lines: [{ text: summary }, { text: summary }, { text: summary }],
    }));
    const { guideid } = await ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title: `Belt ${index}`, public: true, steps },
    });
    made.push(guideid);
  }
  return made;
}

interface World {
  server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  made: number[];
  way: Way;
}

async function world(dataDir?: string): Promise<World> {
  const server = await startServer(dataDir === undefined ? {} : { dataDir });
  if (dataDir === undefined) onTestFinished(() => server[Symbol.asyncDispose]());
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const made = await makeGuides(ana);
  return { server, ana, ben, made, way: wayTo(server.url, ben.token) };
}

async function start(way: Pick<Way, 'fetch'>, disk = newDisk()): Promise<Device> {
  return endsWithTest(await startDevice(way, disk));
}

/** All records of a device's mirror. */
async function held({ core }: Device): Promise<string[]> {
  const all = await Promise.all(
    collectionNames.map(async (name) =>
      (await firstValueFrom(core.mirror.all(name))).map(({ id, seq }) => `${name}/${id} at ${seq}`),
    ),
  );
  return all.flat().toSorted();
}

/** The records of a new device. */
async function heldAnew({ server, ben }: Pick<World, 'server' | 'ben'>): Promise<string[]> {
  const { rows } = await sync(server, ben, 'bootstrap');
  return rows.map(({ c, id, seq }) => `${c}/${id} at ${seq}`).toSorted();
}

/** The size of a complete initial load in bytes. */
async function wholeLoad({ server, ben }: Pick<World, 'server' | 'ben'>): Promise<number> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?protocol=5-6`, {
    headers: { Authorization: `api ${ben.token}` },
  });
  return (await response.arrayBuffer()).byteLength;
}

test('MIRROR-8 an initial load cut at 80 % continues there', async () => {
  const { way, ...there } = await world();
  const whole = await wholeLoad(there);
  way.cutAfter = cutting(Math.floor(whole * 0.8), 1);
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(await held(device)).toEqual(await heldAnew(there));
  expect(way.loads).toHaveLength(2);
  expect(way.received).toBeLessThanOrEqual(1.1 * whole);
});

test('MIRROR-8 an initial load cut repeatedly, also by restarts of the app, completes', async () => {
  const { way, ...there } = await world();
  const whole = await wholeLoad(there);
  const disk = newDisk();
  way.cutAfter = () => Math.floor(whole / 6);
  const first = await start(way, disk);
  await signIn(first);
  await expect.poll(() => way.loads.length).toBeGreaterThanOrEqual(3);
  await first.close();
  const before = way.loads.length;
  const second = await start(way, disk);
  const wanted = await heldAnew(there);
  await expect.poll(() => held(second)).toEqual(wanted);
  expect(must(way.loads[before], 'the first load of the second start').get('after')).not.toBeNull();
  expect(way.received).toBeLessThanOrEqual(1.1 * whole + way.loads.length * 2 * 4096);
});

test('MIRROR-9 records that changed, came, went or were hidden between two pieces are correct in the end', async () => {
  const { way, ...there } = await world();
  const { server, ana, made } = there;
  const whole = await wholeLoad(there);
  way.cutAfter = cutting(Math.floor(whole / 2), 1);
  const [changed = 0, removed = 0, hidden = 0, shown = 0] = made;
  const late = must(made.at(-1), 'the last guide');
  const revision = async (guideid: number): Promise<number> =>
    (await ana.client.guides.read({ params: { guideid } })).revisionid;
  const change = async (guideid: number): Promise<unknown> =>
    ana.client.guides.patch({
      params: { guideid },
      revisionid: await revision(guideid),
      body: { title: 'Renamed' },
    });
  const hide = async (guideid: number): Promise<unknown> =>
    ana.client.guides.unpublish({ params: { guideid }, revisionid: await revision(guideid) });
  await hide(shown);
  let pieces = 0;
  way.before = async () => {
    if ((pieces += 1) !== 2) return;
    await change(changed);
    await change(late);
    await ana.client.guides.remove({
      params: { guideid: removed },
      revisionid: await revision(removed),
    });
    await hide(hidden);
    await hide(must(made.at(-2), 'a late guide'));
    await ana.client.guides.publish({ params: { guideid: shown }, revisionid: await revision(shown) });
    await server.category('Belt Sander', undefined, 'Another tool.');
  };
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(pieces).toBe(2);
  const now = await held(device);
  expect(now).toEqual(await heldAnew(there));
  const ids = now.map((one) => one.split(' ')[0]);
  expect(ids).toContain(`guides/${shown}`);
  for (const gone of [removed, hidden, must(made.at(-2), 'a late guide')])
    expect(ids).not.toContain(`guides/${gone}`);
});

test.each([
  ['by a restart', false],
  ['by a restart that renews the files', true],
])(
  'MIRROR-10 an interrupted rebuild, also %s, removes deleted records and keeps those already loaded',
  async (_, isFresh) => {
    const folder = await temporaryFolder('load');
    const backup = await temporaryFolder('load-backup');
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]();
      await backup[Symbol.asyncDispose]();
    });
    const { server, way, ana, ben, made } = await world(folder.path);
    await server.app.close();
    await cp(folder.path, backup.path, { recursive: true });
    const later = await startServer({ dataDir: folder.path });
    way.url = later.url;
    const call = async (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(`${way.url}/api/2.0${path}`, {
        method,
        headers: { Authorization: `api ${ana.token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const title of ['Gone one', 'Gone two'])
      await call('POST', '/guides', { category: 'Bench Grinder', type: 'repair', title, public: true });
    const disk = newDisk();
    const first = await start(way, disk);
    await signIn(first);
    await inSync(first);
    const whole = await wholeLoad({ server: later, ben });
    const titles = async ({ core }: Device): Promise<string[]> =>
      (await firstValueFrom(core.mirror.guideRows())).map(({ title }) => title);
    expect(await titles(first)).toContain('Gone two');
    await first.close();
    await later[Symbol.asyncDispose]();

    const restored = await startServer({ dataDir: backup.path });
    onTestFinished(() => restored[Symbol.asyncDispose]());
    way.url = restored.url;
    way.received = 0;
    way.loads.length = 0;
    way.cutAfter = cutting(Math.floor(whole / 3), 2);
    const second = await start(way, disk);
    await expect.poll(() => way.loads.length).toBeGreaterThanOrEqual(2);
    const home = must((await second.core.journal.entries()).meta.get('homes') as { home: string }[], 'homes');
    if (isFresh)
      await second.core.journal.append([
        { op: 'put', collection: 'meta', id: `leaving/${home[0]?.home}`, value: { at: 1 } },
      ]);
    await second.close();
    const third = await start(way, disk);
    const wanted = await heldAnew({ server: restored, ben });
    await expect.poll(() => held(third)).toEqual(wanted);
    expect((await titles(third)).toSorted()).toEqual(made.map((_, index) => `Belt ${index}`).toSorted());
    // Without its stored lists the load starts anew.
    const most = isFresh ? 2 : 1.1;
    expect(way.received).toBeLessThanOrEqual(most * whole + way.loads.length * 2 * 4096);
  },
);

test('MIRROR-11 at a server without resumable loads, a load starts anew and removes deleted records', async () => {
  const { way, ...there } = await world();
  const { ana, made } = there;
  const whole = await wholeLoad(there);
  way.cutAfter = cutting(Math.floor(whole / 2), 2);
  const removed = must(made[0], 'the first guide');
  let pieces = 0;
  way.before = async () => {
    if ((pieces += 1) !== 2) return;
    way.isOlder = true;
    const { revisionid } = await ana.client.guides.read({ params: { guideid: removed } });
    await ana.client.guides.remove({ params: { guideid: removed }, revisionid });
  };
  const device = await start(way);
  await signIn(device);
  await inSync(device);
  expect(pieces).toBe(3);
  const now = await held(device);
  expect(now.some((one) => one.startsWith(`guides/${removed} `))).toBe(false);
  expect(now).toEqual(await heldAnew(there));
});
