import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { hashToken } from '#server/core/sessions.ts';
import type { Principal } from '#server/storage/feed.ts';
import { checkpointTextOf, newestCheckpoint } from '#server/sync/feed-reader.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { newGuide } from '#test/support/sync-calls.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import {
  isSeen,
  principalsWith,
  recordMove,
  teamMove,
  type Audience,
  type RecordMove,
  type TeamMove,
} from './feed-access/moves.ts';
import { scenes } from './feed-access/scenes.ts';
import { StreamingDevice } from './feed-access/stream.ts';
import {
  PullingDevice,
  admin,
  endWorld,
  join,
  lead,
  leave,
  newTeam,
  server,
  somebody,
  startWorld,
} from './feed-access/world.ts';

beforeAll(startWorld);
afterAll(endWorld);

async function checkpointNow({ services }: TestServer = server): Promise<string> {
  return checkpointTextOf(services, await newestCheckpoint(services.storage.reader));
}

/** Writes a record for these principals; none: nobody. */
function put(id: string, principals: Principal[], title = ''): Promise<void> {
  return contextForJob(server.services, null, async ({ changes }) => {
    const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] };
    changes.put('stepForms', id, { ...form, ...(title === '' ? {} : { title }) }, principals);
  });
}

function remove(id: string): Promise<void> {
  return contextForJob(server.services, null, async ({ changes }) => changes.remove('stepForms', id));
}

let marks = 0;

/** Waits until the stream has everything that was committed before. */
async function settled(device: StreamingDevice): Promise<void> {
  marks += 1;
  const mark = `mark-${marks}`;
  await put(mark, ['public']);
  await device.until(() => device.names.includes(`stepForms/${mark}`));
}

const move: fc.Arbitrary<RecordMove | TeamMove> = fc.oneof(
  { weight: 3, arbitrary: recordMove },
  { weight: 1, arbitrary: teamMove },
);
/** Moves that are made at the same time share a commit, and a page of the feed. */
const bursts = fc.array(fc.array(move, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 });

test('EVENT-3 whatever changes while a stream is open, its device has what its person may see and receives nothing they never could', async () => {
  const person = await somebody();
  const teams = [await newTeam(), await newTeam()] as const;
  const principals = principalsWith(teams);
  const held = new Set<number>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(bursts, async (all) => {
      run += 1;
      for (const team of held) await leave(person, must(teams[team], 'a team'));
      held.clear();
      await using device = await StreamingDevice.open(server, person, await checkpointNow());
      await settled(device);
      const ids = [0, 1, 2].map((record) => `stream-${run}-${record}`);
      const at = new Map<string, Audience>();
      const ever = new Set<string>();
      const sees = (id: string): boolean => isSeen(at.get(id) ?? 'gone', held);
      for (const moves of all) {
        const writes: Promise<void>[] = [];
        for (const one of moves) {
          if (one.kind === 'team') {
            const teamid = must(teams[one.team], 'a team');
            const isMember = held.delete(one.team);
            if (!isMember) held.add(one.team);
            writes.push(isMember ? leave(person, teamid) : join(person, teamid));
          } else {
            const id = must(ids[one.record], 'a record');
            writes.push(one.to === 'gone' ? remove(id) : put(id, principals[one.to]));
            at.set(id, one.to);
          }
          for (const id of ids) if (sees(id)) ever.add(`stepForms/${id}`);
        }
        await Promise.all(writes);
      }
      await settled(device);
      const ours = (names: Iterable<string>): string[] =>
        [...names].filter((name) => name.startsWith(`stepForms/stream-${run}-`)).toSorted();
      expect(ours(device.names)).toEqual(ids.filter(sees).map((id) => `stepForms/${id}`));
      const received = device.events.flatMap(({ rows }) => rows.map(({ c, id }) => `${c}/${id}`));
      expect(ours(new Set(received)).filter((name) => !ever.has(name))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

for (const [name, scene] of Object.entries(scenes))
  test(`EVENT-3 while a stream is open ${name}`, async () => {
    const { reader, loses, moves } = await scene();
    const { rows } = await loadedRows(reader);
    await using device = await StreamingDevice.open(server, reader, '0.0');
    await settled(device);
    expect(device.names).toEqual(expect.arrayContaining(rows));
    // Both in one burst: what the record's move means depends on the rights that the other takes away.
    await Promise.all(moves.map((one) => one()));
    await settled(device);
    const after = await PullingDevice.loaded(reader);
    const lost = rows.filter((one) => !after.names.includes(one));
    expect([...new Set(lost.map((one) => must(one.split('/')[0], 'a collection')))].toSorted()).toEqual(
      loses,
    );
    expect(device.names.filter((one) => !one.includes('/mark-'))).toEqual(
      after.names.filter((one) => !one.includes('/mark-')),
    );
  });

async function loadedRows(reader: TestPerson): Promise<{ rows: string[] }> {
  const loaded = await PullingDevice.loaded(reader);
  return { rows: loaded.names };
}

test('EVENT-3 a stream names a prerequisite only to those who may see it, and its document is that of a pull', async () => {
  const teamid = await newTeam();
  const [member, other] = [await somebody(), await somebody()];
  await join(member, teamid);
  const hidden = await lead.client.guides.create({ body: { ...newGuide, title: 'Hidden' } });
  await lead.call('PUT', `/guides/${hidden.guideid}/teams/${teamid}`);
  const since = await checkpointNow();
  await using ofMember = await StreamingDevice.open(server, member, since);
  await using ofOther = await StreamingDevice.open(server, other, since);
  for (const device of [ofMember, ofOther]) await settled(device);
  const { guideid } = await lead.client.guides.create({
    body: { ...newGuide, title: 'Frame', public: true, prerequisites: [hidden.guideid] },
  });
  for (const device of [ofMember, ofOther]) await settled(device);
  const named = (device: StreamingDevice): number[] =>
    (device.document(`guides/${guideid}`) as GuideFacts).prerequisites;
  expect([named(ofMember), named(ofOther)]).toEqual([[hidden.guideid], []]);
  for (const [device, person] of [
    [ofMember, member],
    [ofOther, other],
  ] as const) {
    const { uid: _uid, ...document } = device.document(`guides/${guideid}`) as GuideFacts & { uid: string };
    const pulled = await PullingDevice.loaded(person);
    expect(document).toEqual(pulled.content()[`guides/${guideid}`]);
  }
});

test('EVENT-3 only the stream of the caller has the key of a call', async () => {
  const [caller, other] = [await somebody(), await somebody()];
  const since = await checkpointNow();
  await using own = await StreamingDevice.open(server, caller, since);
  await using foreign = await StreamingDevice.open(server, other, since);
  for (const device of [own, foreign]) await settled(device);
  const key = '01900000-0000-7000-8000-00000000abcd';
  const body = { ...newGuide, title: 'With a key', public: true };
  const { body: made } = await caller.call('POST', '/guides', body, { 'Idempotency-Key': key });
  const { guideid } = made as { guideid: number };
  for (const device of [own, foreign]) await settled(device);
  const keys = (device: StreamingDevice): unknown[] =>
    device.events.flatMap(({ rows }) =>
      rows.flatMap((row) => (row.c === 'guides' && row.id === String(guideid) ? [row.key] : [])),
    );
  expect([keys(own), keys(foreign)]).toEqual([[key], [undefined]]);
});

test('EVENT-4 a stream is not told of what its person may not see, and its checkpoint follows with the heartbeat', async () => {
  await using quiet = await startServer({ limits: { heartbeatMs: 200 } });
  const ana = await quiet.person('Ana');
  const ben = await quiet.person('Ben');
  await quiet.category('Bench Grinder');
  await using device = await StreamingDevice.open(quiet, ben, await checkpointNow(quiet));
  for (let n = 0; n < 3; n += 1)
    await ana.client.guides.create({ body: { ...newGuide, title: `Private ${n}` } });
  const now = await checkpointNow(quiet);
  await device.until(() => device.events.at(-1)?.checkpoint === now);
  expect(device.events.flatMap(({ rows }) => rows)).toEqual([]);
  expect(device.events.length).toBeLessThanOrEqual(2);
});

/** Ways to end a session or to change the rights of a person; each makes the stream read the feed itself. */
const endings: Record<string, (person: TestPerson) => Promise<unknown>> = {
  'signs out': (person) => person.call('DELETE', '/user/token'),
  'is disabled': ({ userid }) =>
    admin.call('PATCH', `/users/${userid}`, { enabled: false, current_password: 'a long password' }),
  'loses the session to an administrator': ({ userid }) => admin.call('DELETE', `/users/${userid}/sessions`),
  'loses the session to another process': ({ token }) =>
    contextForJob(server.services, null, async ({ db }) => {
      await db.deleteFrom('tokens').where('token_hash', '=', hashToken(token)).execute();
    }),
};
for (const [what, end] of Object.entries(endings))
  test(`EVENT-3 the stream of somebody who ${what} ends before any later row`, async () => {
    const person = await somebody();
    await using device = await StreamingDevice.open(server, person, await checkpointNow());
    await settled(device);
    await end(person);
    await put(`after ${what}`, ['public']);
    await device.until(() => false);
    expect(device.hasEnded).toBe(true);
    expect(device.names).not.toContain(`stepForms/after ${what}`);
  });

test('EVENT-3 a stream whose session expires without a write ends with the heartbeat', async () => {
  const clock = { now: 1_700_000_000_000 };
  await using timed = await startServer({ now: () => clock.now, limits: { heartbeatMs: 200 } });
  const person = await timed.person('Ana');
  await using device = await StreamingDevice.open(timed, person, await checkpointNow(timed));
  clock.now += 91 * 24 * 3600 * 1000;
  await device.until(() => false);
  expect(device.hasEnded).toBe(true);
});
