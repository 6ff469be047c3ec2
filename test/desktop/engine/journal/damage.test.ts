import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';

import { put } from './world.ts';

/** A journal whose clock counts appends. */
function clocked(disk: Map<string, Uint8Array>, clock: { now: number }): Promise<Journal> {
  let ids = 0;
  return openJournal(memoryStore({}, disk), {
    now: () => clock.now,
    uuid: () => `${clock.now}-${(ids += 1)}`,
  });
}

function callAbout(subject: string, text: string): unknown {
  return { home: 'bench', about: { collection: 'guides', id: text }, call: { subject, text } };
}

/**
 * Damages up to `length` bytes of the newest segment, starting at a fraction of it. A cut near its end is an
 * interrupted write.
 */
function spoil(
  disk: Map<string, Uint8Array>,
  at: number,
  length: number,
  how: 'flip' | 'zero' | 'cut-out',
): void {
  const name = must([...disk.keys()].toSorted().at(-1), 'a segment');
  const bytes = must(disk.get(name), 'its bytes').slice();
  const from = Math.floor(at * (bytes.length - length - 1));
  if (how === 'cut-out') {
    const place = Math.floor(from / 2);
    disk.set(
      name,
      new Uint8Array([...bytes.subarray(0, place), ...bytes.subarray(place + (length % 50) + 1)]),
    );
    return;
  }
  for (let place = from; place < from + length; place += 1)
    bytes[place] = how === 'zero' ? 0 : (bytes[place] ?? 0) ^ 0x55;
  disk.set(name, bytes);
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

it('JOURNAL-16 after any damage within a journal, each record is restored, named, or reported with its time', async () => {
  const damage = fc.record({
    at: share,
    length: fc.integer({ min: 1, max: 200 }),
    how: fc.constantFrom('flip' as const, 'zero' as const, 'cut-out' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(30), { minLength: 4, maxLength: 40 }),
      fc.option(fc.nat(39)),
      damage,
      async (writes, compactAfter, { at, length, how }) => {
        const disk = new Map<string, Uint8Array>();
        const clock = { now: 1000 };
        const journal = await clocked(disk, clock);
        const saved = new Map<string, { value: unknown; at: number }>();
        for (const [index, id] of writes.entries()) {
          clock.now += 1;
          const value = callAbout(`Guide ${id}`, `Text ${clock.now}`);
          await journal.append([put(String(id), value)]);
          saved.set(String(id), { value, at: clock.now });
          if (index === compactAfter) await journal.compact();
        }
        await journal.close();
        spoil(disk, at, length, how);
        const again = await clocked(disk, clock);
        const { outbox } = await again.entries();
        const told = again.health();
        for (const [id, { value, at: savedAt }] of saved) {
          if (JSON.stringify(outbox.get(id)) === JSON.stringify(value)) continue;
          const isNamed = told.missing.some((one) => one.id === id && one.subject === `Guide ${id}`);
          const isOfThatTime = told.damage.some(
            ({ isTorn, appends, since, until }) =>
              !isTorn && appends !== 0 && (since ?? 0) <= savedAt && savedAt <= (until ?? Infinity),
          );
          expect(isNamed || isOfThatTime, JSON.stringify({ id, savedAt, told })).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('JOURNAL-16 counts appends missing between two others, and reports when they were made', async () => {
  const disk = new Map<string, Uint8Array>();
  const clock = { now: 1000 };
  const journal = await clocked(disk, clock);
  const ends: number[] = [];
  for (const id of ['a', 'b', 'c', 'd']) {
    clock.now += 100;
    await journal.append([put(id, callAbout(id, id))]);
    ends.push(must(disk.get('segment-00000001'), 'the segment').length);
  }
  await journal.close();
  const [first = 0, , third = 0] = ends;
  const bytes = must(disk.get('segment-00000001'), 'the segment').slice();
  bytes.fill(0x55, first, third);
  disk.set('segment-00000001', bytes);
  const { damage, missing } = (await clocked(disk, clock)).health();
  expect(damage).toEqual([
    {
      kind: 'middle',
      segment: 1,
      from: first,
      to: third,
      isTorn: false,
      appends: 2,
      since: 1100,
      until: 1400,
    },
  ]);
  expect(missing).toEqual([]);
});

it('JOURNAL-16 names the damaged records at the start of a segment, unless they were deleted since', async () => {
  const disk = new Map<string, Uint8Array>();
  const clock = { now: 1000 };
  const journal = await clocked(disk, clock);
  const ids = Array.from({ length: 16 }, (_, index) => String(index));
  await journal.append(ids.map((id) => put(id, callAbout(`Guide ${id}`, id))));
  await journal.compact();
  await journal.forget('outbox', ['3']);
  await journal.close();
  const bytes = must(disk.get('segment-00000002'), 'the segment').slice();
  bytes.fill(0x55, 40, 60);
  disk.set('segment-00000002', bytes);
  const { missing } = (await clocked(disk, clock)).health();
  expect(missing).toEqual(
    ids
      .filter((id) => id !== '3')
      .map((id) => ({
        collection: 'outbox',
        id,
        subject: `Guide ${id}`,
        home: 'bench',
        about: { collection: 'guides', id },
      })),
  );
});

it('JOURNAL-16 an interrupted write is not reported as damage; a damaged last append is, and it is kept', async () => {
  const disk = new Map<string, Uint8Array>();
  const clock = { now: 1000 };
  const journal = await clocked(disk, clock);
  await journal.append([put('a', 1)]);
  await journal.append([put('b', 2)]);
  await journal.close();
  const whole = must(disk.get('segment-00000001'), 'the segment');
  disk.set('segment-00000001', whole.slice(0, -3));
  expect((await clocked(new Map(disk), clock)).health().damage).toMatchObject([
    { kind: 'tail', isTorn: true },
  ]);
  const spoilt = whole.slice();
  spoilt[whole.length - 10] = 0xff;
  disk.set('segment-00000001', spoilt);
  const again = await clocked(disk, clock);
  expect(again.health().damage).toMatchObject([{ kind: 'tail', isTorn: false, until: null }]);
  expect(Object.keys(await again.exportAll())).toContain('store/segment-00000001');
});

it('JOURNAL-15 lists changes and deletions since an append, and everything to a reader that missed too much', async () => {
  const disk = new Map<string, Uint8Array>();
  const clock = { now: 1000 };
  const journal = await clocked(disk, clock);
  await journal.append([put('a', 1), put('b', 2), put('m', 3, 'meta')]);
  const { seq, values } = await journal.changes('outbox', 0);
  expect(Object.fromEntries(values)).toEqual({ a: 1, b: 2 });
  expect(await journal.changes('outbox', seq)).toEqual({
    seq,
    isWhole: false,
    values: new Map(),
    deleted: [],
  });
  await journal.append([put('c', 4), { op: 'delete', collection: 'outbox', id: 'a' }]);
  expect(await journal.changes('outbox', seq)).toEqual({
    seq: seq + 1,
    isWhole: false,
    values: new Map([['c', 4]]),
    deleted: ['a'],
  });
  for (let index = 0; index < 9; index += 1)
    await journal.append(Array.from({ length: 1000 }, (_, place) => put(`n${place}`, index)));
  const late = await journal.changes('outbox', seq);
  expect(late.isWhole).toBe(true);
  expect(late.values.size).toBe(1002);
  await journal.close();
  const again = await clocked(disk, clock);
  expect(await again.changes('outbox', seq)).toMatchObject({ isWhole: true });
  expect(await again.changes('outbox', late.seq)).toMatchObject({ isWhole: false, values: new Map() });
});
