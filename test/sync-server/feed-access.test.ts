import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { visibleAudiences, type Principal } from '#server/storage/feed.ts';
import { must } from '#shared/must.ts';
import { newestCheckpoint, checkpointTextOf } from '#server/sync/feed-reader.ts';
import { seqsIn, visibleDocuments } from '#server/sync/visible-documents.ts';
import { sync } from '#test/support/sync-calls.ts';

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
import {
  PullingDevice,
  endWorld,
  join,
  leave,
  newTeam,
  server,
  somebody,
  startWorld,
} from './feed-access/world.ts';

beforeAll(startWorld);
afterAll(endWorld);

type Move = RecordMove | TeamMove | { kind: 'pull'; limit: number };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: recordMove },
  { weight: 3, arbitrary: teamMove },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pull'), limit: fc.integer({ min: 1, max: 3 }) }) },
);

test('FEED-1 FEED-2 FEED-6 whatever changes between pulls, a device has what its person may see and receives nothing they never could', async () => {
  const person = await somebody();
  const teams = [await newTeam(), await newTeam()] as const;
  const principals = principalsWith(teams);
  let run = 0;
  const held = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 24 }), async (moves) => {
      run += 1;
      for (const team of held) await leave(person, must(teams[team], 'a team'));
      held.clear();
      const device = await PullingDevice.beginning(person);
      const ids = [0, 1, 2].map((record) => `${run}-${record}`);
      const at = new Map<string, Audience>();
      const ever = new Set<string>();
      const sees = (id: string): boolean => isSeen(at.get(id) ?? 'gone', held);
      for (const one of moves) {
        if (one.kind === 'pull') await device.page(one.limit);
        else if (one.kind === 'team') {
          const teamid = must(teams[one.team], 'a team');
          await (held.delete(one.team) ? leave(person, teamid) : (held.add(one.team), join(person, teamid)));
        } else {
          const { to } = one;
          const id = must(ids[one.record], 'a record');
          await contextForJob(server.services, null, async ({ changes }) => {
            if (to === 'gone') changes.remove('stepForms', id);
            else
              changes.put(
                'stepForms',
                id,
                { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] },
                principals[to],
              );
          });
          at.set(id, to);
        }
        for (const id of ids) if (sees(id)) ever.add(`stepForms/${id}`);
      }
      await device.all(2);
      const ours = (names: Iterable<string>): string[] =>
        [...names].filter((name) => name.startsWith(`stepForms/${run}-`)).toSorted();
      expect(ours(device.names)).toEqual(ids.filter(sees).map((id) => `stepForms/${id}`));
      expect(ours(device.removals).filter((name) => !ever.has(name))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('FEED-2 a record that moved to a team and was deleted before the person joined is reported as removed', async () => {
  const person = await somebody();
  const [first, second] = [await newTeam(), await newTeam()];
  const put = (teamid: number): Promise<void> =>
    contextForJob(server.services, null, async ({ changes }) => {
      changes.put('stepForms', 'moved', { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] }, [
        `team:${teamid}`,
      ]);
    });
  await join(person, second);
  const device = await PullingDevice.beginning(person);
  await put(second);
  await device.all();
  expect(device.names).toContain('stepForms/moved');
  await put(first);
  await contextForJob(server.services, null, async ({ changes }) => changes.remove('stepForms', 'moved'));
  await join(person, first);
  await leave(person, second);
  await device.all();
  expect(device.names).not.toContain('stepForms/moved');
});

const orders = {
  'first the record, then the access': [0, 1],
  'first the access, then the record': [1, 0],
} as const;

for (const [name, scene] of Object.entries(scenes))
  for (const [order, indexes] of Object.entries(orders)) {
    test(`FEED-2 FEED-6 between two pulls ${name}: ${order}`, async () => {
      const { reader, loses, moves } = await scene();
      const devices = [await PullingDevice.loaded(reader), await PullingDevice.loaded(reader)] as const;
      const before = devices[0].names;
      for (const index of indexes) await moves[index]();
      const after = await PullingDevice.loaded(reader);
      const lost = before.filter((one) => !after.names.includes(one));
      const collections = new Set(lost.map((one) => must(one.split('/')[0], 'a collection')));
      expect([...collections].toSorted()).toEqual(loses);
      await devices[0].all();
      await devices[1].all(1);
      for (const device of devices) expect(device.content()).toEqual(after.content());
    });

    test(`FEED-2 FEED-15 while a first load is cut ${name}: ${order}`, async () => {
      const { reader, moves } = await scene();
      const device = await PullingDevice.cutBefore(reader, 4);
      for (const index of indexes) await moves[index]();
      await device.goOn();
      await device.all(1);
      expect(device.content()).toEqual((await PullingDevice.loaded(reader)).content());
    });
  }

test.each(['of records', 'of access'])(
  'FEED-11 FEED-20 a page of moves %s carries at most a megabyte of documents, or one larger document',
  async (what) => {
    const person = await somebody();
    const teamid = await newTeam();
    const placeNow = async () =>
      checkpointTextOf(server.services, await newestCheckpoint(server.services.storage.reader));
    const before = await placeNow();
    const sizes = [400_000, 400_000, 400_000, 1_500_000, 10];
    await contextForJob(server.services, null, async ({ changes }) => {
      for (const [at, size] of sizes.entries()) {
        const document = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: 'x'.repeat(size) };
        const principal: Principal = what === 'of records' ? 'public' : `team:${teamid}`;
        changes.put('stepForms', `large-${what}-${at}`, document, [principal]);
      }
    });
    const place = what === 'of records' ? before : await placeNow();
    await join(person, teamid);
    const pages: number[][] = [];
    for (let since = place, more = true; more;) {
      const page = await sync(server, person, `pull?since=${since}&limit=200`);
      pages.push(
        page.rows
          .filter(({ c }) => c === 'stepForms')
          .map(({ doc }) => (doc as { title: string }).title.length),
      );
      ({ checkpoint: since, more } = page);
    }
    expect(pages.filter((page) => page.length > 0)).toEqual([
      [400_000, 400_000],
      [400_000],
      [1_500_000],
      [10],
    ]);
  },
);

test('FEED-20 an initial load reads a megabyte of documents at a time and yields in between', async () => {
  const teamid = await newTeam();
  const principal: Principal = `team:${teamid}`;
  const sizes = [400_000, 400_000, 400_000, 1_500_000, 10];
  const after = (await newestCheckpoint(server.services.storage.reader)).seq;
  await contextForJob(server.services, null, async ({ changes }) => {
    for (const [at, size] of sizes.entries()) {
      const document = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: 'x'.repeat(size) };
      changes.put('stepForms', `loaded-${at}`, document, [principal]);
    }
  });
  const db = server.services.storage.reader;
  const visible = await visibleAudiences(db, [principal]);
  const seqs = await seqsIn(db, { visible, after, collections: ['stepForms'] });
  let isLoaded = false;
  let turns = 0;
  const others = (async () => {
    for (; !isLoaded; await setImmediate()) turns += 1;
  })();
  const read: number[] = [];
  for await (const lines of visibleDocuments(db, visible, seqs)) read.push(lines.length);
  isLoaded = true;
  await others;
  expect(read).toEqual([2, 1, 1, 1]);
  expect(turns).toBeGreaterThanOrEqual(read.length);
});
