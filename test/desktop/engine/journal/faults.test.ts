import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JournalError } from '#desktop/engine/journal/journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { runs } from '#test/support/long-run.ts';

import { open, outboxOf, put } from './world.ts';

describe('a journal on a failing disk', () => {
  it('JOURNAL-9 turns read-only at the first failed fsync and does not try a second one', async () => {
    const store = memoryStore({ failSync: 1 });
    const journal = await open(store);
    const changes: boolean[] = [];
    journal.watchHealth(({ writable }) => changes.push(writable));
    await journal.append([put('a', 1)]);
    await expect(journal.append([put('b', 2)])).rejects.toMatchObject({ kind: 'sync-failed' });
    const { syncs } = store;

    await expect(journal.append([put('c', 3)])).rejects.toMatchObject({ kind: 'read-only' });
    await expect(journal.putFile('f', new Uint8Array(1), { type: '', name: '' })).rejects.toMatchObject({
      kind: 'read-only',
    });
    expect(journal.health()).toMatchObject({ writable: false, problem: 'sync-failed' });
    expect(changes).toEqual([false]);
    expect(store.syncs).toBe(syncs);
    expect(await outboxOf(journal)).toEqual({ a: 1 });
  });

  it('JOURNAL-10 releases the ballast on a full disk and reports it', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    expect(journal.health().lowSpace).toBe(false);
    await journal.append([put('a', 'x'.repeat(3000))]);
    expect(journal.health()).toMatchObject({ writable: true, lowSpace: true, full: false });
    expect(await outboxOf(await open(memoryStore({ capacity: 6000 }, store.disk), 1))).toEqual({
      a: 'x'.repeat(3000),
    });

    expect(await journal.checkSpace()).toBe(false);
    store.faults.capacity = 60_000;
    expect(await journal.checkSpace()).toBe(true);
    expect(journal.health().lowSpace).toBe(false);
  });

  it('JOURNAL-10 refuses what does not fit even then, and accepts what fits', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    await expect(journal.append([put('a', 'x'.repeat(9000))])).rejects.toMatchObject({ kind: 'no-space' });
    await expect(journal.putFile('f', new Uint8Array(9000), { type: '', name: '' })).rejects.toMatchObject({
      kind: 'no-space',
    });
    expect(journal.health().full).toBe(true);
    await journal.append([put('b', 1)]);
    expect(journal.health().full).toBe(false);
    expect(await outboxOf(journal)).toEqual({ b: 1 });
    expect(await outboxOf(await open(store, 1))).toEqual({ b: 1 });
    expect([...store.disk.keys()]).toEqual(['segment-00000001']);
  });

  it('JOURNAL-17 keeps deferrable records in memory and writes them after the next append that fits', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    await journal.append([put('a', 1), put('c', 1)]);
    await journal.append([put('a', 'x'.repeat(9000)), put('b', 2)], { canWait: true });
    expect(await outboxOf(journal)).toEqual({ a: 'x'.repeat(9000), b: 2, c: 1 });
    expect(await outboxOf(await open(memoryStore({}, new Map(store.disk)), 1))).toEqual({ a: 1, c: 1 });

    await journal.append([put('b', 3), put('c', 2)]);
    await journal.append([{ op: 'delete', collection: 'outbox', id: 'a' }]);
    expect(await outboxOf(await open(memoryStore({}, new Map(store.disk)), 1))).toEqual({ b: 3, c: 2 });

    store.faults.capacity = 60_000;
    await journal.append([put('d', 4)]);
    const written = [...store.disk.values()].reduce((sum, { length }) => sum + length, 0);
    expect(written).toBeGreaterThan(9000);
    for (const one of [journal, await open(store, 1)])
      expect(await outboxOf(one)).toEqual({ b: 3, c: 2, d: 4 });
  });

  it('JOURNAL-17 writes deferrable records with a compaction, and not again after they were deleted', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    await journal.append([put('a', 'x'.repeat(9000))], { canWait: true });
    store.faults.capacity = 60_000;
    await journal.compact();
    expect(await outboxOf(await open(memoryStore({}, new Map(store.disk)), 1))).toEqual({
      a: 'x'.repeat(9000),
    });
    await journal.append([{ op: 'delete', collection: 'outbox', id: 'a' }]);
    await journal.compact();
    expect(await outboxOf(await open(store, 1))).toEqual({});
  });

  it('JOURNAL-11 fails a single append that does not fit', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    const outcomes = await Promise.allSettled([
      journal.append([put('a', 1)]),
      journal.append([put('b', 'x'.repeat(9000))]),
      journal.append([put('c', 3)]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await outboxOf(await open(store, 1))).toEqual({ a: 1, c: 3 });
  });

  it('JOURNAL-2 keeps every acknowledged append wherever the disk fails, and others completely or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(25),
        fc.nat(300),
        fc.array(fc.nat(3), { minLength: 5, maxLength: 20 }),
        fc.nat(3),
        crashRun,
      ),
      { numRuns: runs(600) },
    );
  });

  it('JOURNAL-12 keeps current values at every step of a compaction that crashes', async () => {
    const steps = await stepsOfCompaction();
    expect(steps).toBeGreaterThanOrEqual(2);
    for (let step = 0; step < steps; step += 1) {
      for (let tornBytes = 0; tornBytes < 400; tornBytes += 7) {
        const disk = await compactingDisk();
        const dying = memoryStore({ crashAt: step, tornBytes }, disk);
        await (await open(dying, 1)).compact().catch(() => undefined);
        const survivor = memoryStore({}, disk);
        const journal = await open(survivor, 2);
        expect(await outboxOf(journal)).toEqual({ kept: 'new' });
        await journal.append([put('later', 1)]);
        expect(await outboxOf(await open(survivor, 3))).toEqual({ kept: 'new', later: 1 });
        expect([...disk.keys()]).toHaveLength(1);
      }
    }
  });

  it('JOURNAL-12 compacts a long journal in parts of a megabyte, and loses nothing on a crash between two of them', async () => {
    const disk = await longDisk();
    const sizes: number[] = [];
    const store = memoryStore({}, new Map(disk));
    const journal = await open({
      ...store,
      append: (name, at, bytes) => {
        sizes.push(bytes.length);
        return store.append(name, at, bytes);
      },
      write: (name, bytes) => {
        sizes.push(bytes.length);
        return store.write(name, bytes);
      },
    });
    const values = await outboxOf(journal);
    await journal.compact();
    expect(Math.max(...sizes)).toBeLessThan(1_200_000);
    expect(sizes).toHaveLength(3);
    expect(await outboxOf(await open(store, 1))).toEqual(values);
    for (let step = 0; step < store.operations; step += 1) {
      const torn = new Map(disk);
      const dying = memoryStore({ crashAt: step, tornBytes: 5000 }, torn);
      await (await open(dying, 2)).compact().catch(() => undefined);
      expect(await outboxOf(await open(memoryStore({}, torn), 3))).toEqual(values);
    }
  });

  it('JOURNAL-12 prefers later appends to values copied by an unfinished compaction', async () => {
    const disk = await compactingDisk();
    const dying = memoryStore({ crashAt: 0, tornBytes: 10_000 }, disk);
    await (await open(dying, 1)).compact().catch(() => undefined);
    const copy = must([...disk].at(-1), 'the new segment');
    // The seal at its end is cut off, as if the disk had not written it.
    disk.delete(copy[0]);
    await (await open(memoryStore({}, disk), 2)).forget('outbox', ['kept']);
    disk.set(copy[0], copy[1].slice(0, -12));
    expect(await outboxOf(await open(memoryStore({}, disk), 3))).toEqual({});
  });

  it('JOURNAL-10 postpones a compaction while the disk is full', async () => {
    const store = memoryStore({ capacity: 6000 });
    const journal = await open(store);
    await journal.append([put('a', 'x'.repeat(3500))]);
    await journal.compact();
    expect(journal.health()).toMatchObject({ writable: true, lowSpace: true });
    await journal.append([put('b', 1)]);
    expect(Object.keys(await outboxOf(await open(store, 1)))).toEqual(['a', 'b']);
  });

  it('JOURNAL-12 compacts automatically when most of the segment is outdated', async () => {
    const store = memoryStore();
    const journal = await open(store);
    for (let index = 0; index < 40; index += 1) await journal.append([put('a', 'x'.repeat(20_000))]);
    const size = [...store.disk.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    expect(size).toBeLessThan(400_000);
    expect(await outboxOf(await open(store, 1))).toEqual({ a: 'x'.repeat(20_000) });
  });

  // An uncaught error would fail the run.
  it('JOURNAL-9 turns read-only when its own compaction fails, and reports it only in its health', async () => {
    const store = memoryStore();
    const journal = await open({
      ...store,
      write: () => Promise.reject(new JournalError('sync-failed', 'The disk did not take it')),
    });
    const large = put('a', 'x'.repeat(20_000));
    for (let index = 0; index < 40 && journal.health().writable; index += 1) await journal.append([large]);
    expect(journal.health()).toMatchObject({ writable: false, problem: 'sync-failed' });
    expect(await outboxOf(await open(store, 1))).toEqual({ a: 'x'.repeat(20_000) });
  });

  it('JOURNAL-7 moves the good records out of a damaged segment, keeps it for the export, and reports it', async () => {
    const store = memoryStore();
    const writer = await open(store);
    for (const id of ['a', 'b', 'c']) await writer.append([put(id, id)]);
    const damaged = must(store.disk.get('segment-00000001'), 'the segment');
    const third = Math.floor(damaged.length / 3);
    damaged[third + 30] = must(damaged[third + 30], 'a byte') ^ 4;

    const journal = await open(store, 1);
    expect(await outboxOf(journal)).toEqual({ a: 'a', c: 'c' });
    expect(journal.health().damage).toMatchObject([{ kind: 'middle', segment: 1 }]);
    const again = await open(store, 2);
    expect(await outboxOf(again)).toEqual({ a: 'a', c: 'c' });
    expect(again.health().damage).toEqual([]);
    expect(Object.keys(await again.exportAll())).toEqual([
      'journal.json',
      'store/segment-00000001',
      'store/segment-00000002',
    ]);
  });

  it('JOURNAL-7 never returns a wrong value and loses only the hit record, wherever a bit flips', async () => {
    const store = memoryStore();
    const writer = await open(store);
    const values: Record<string, string> = {};
    for (let index = 0; index < 12; index += 1) {
      values[`id${String(index)}`] = `value ${String(index)}`;
      await writer.append([put(`id${String(index)}`, `value ${String(index)}`)]);
      if (index === 5) await writer.compact();
    }
    const [name, bytes] = must([...store.disk][0], 'the segment');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const flipped = bytes.slice();
        flipped[at] = must(flipped[at], 'a byte') ^ (1 << bit);
        const read = await outboxOf(await open(memoryStore({}, new Map([[name, flipped]])), 1));
        // One flip affects one frame: a single append, or the snapshot frame of the first six.
        expect(Object.keys(read).length).toBeGreaterThanOrEqual(6);
        for (const [id, value] of Object.entries(read)) expect(value).toBe(values[id]);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** Makes appends, up to `together` at the same time, until the disk fails, then opens the remaining files. */
async function crashRun(
  crashAt: number,
  tornBytes: number,
  ids: readonly number[],
  together: number,
): Promise<void> {
  const disk = new Map<string, Uint8Array>();
  const dying = memoryStore({ crashAt, tornBytes }, disk);
  const acknowledged: Record<string, string> = {};
  const journal = await open(dying);
  const attempt = async (id: number, index: number): Promise<void> => {
    const value = `${String(index)} ${'x'.repeat(id * 20)}`;
    await journal.append([put(`a${String(id)}`, value), put(`b${String(id)}`, value)]);
    acknowledged[String(id)] = value;
    if (index % 4 === 3) await journal.compact();
  };
  let underWay: Promise<void>[] = [];
  for (const [index, id] of ids.entries()) {
    underWay.push(attempt(id, index));
    if (underWay.length <= together) continue;
    await Promise.allSettled(underWay);
    underWay = [];
  }
  await Promise.allSettled(underWay);

  const read = await outboxOf(await open(memoryStore({}, disk), 1));
  for (const id of new Set(ids)) {
    const value = read[`a${String(id)}`];
    expect(value).toBe(read[`b${String(id)}`]);
    const last = acknowledged[String(id)];
    if (last === undefined) continue;
    expect(Number.parseInt(String(value), 10)).toBeGreaterThanOrEqual(Number.parseInt(last, 10));
  }
}

/** A journal whose compaction takes several parts. */
async function longDisk(): Promise<Map<string, Uint8Array>> {
  const disk = new Map<string, Uint8Array>();
  const journal = await open(memoryStore({}, disk));
  await journal.append(Array.from({ length: 500 }, (_, index) => put(`call-${index}`, 'x'.repeat(5000))));
  return disk;
}

async function compactingDisk(): Promise<Map<string, Uint8Array>> {
  const disk = new Map<string, Uint8Array>();
  const journal = await open(memoryStore({}, disk));
  await journal.append([put('kept', 'old'), put('gone', 1)]);
  await journal.compact();
  await journal.append([put('kept', 'new')]);
  await journal.forget('outbox', ['gone']);
  return disk;
}

async function stepsOfCompaction(): Promise<number> {
  const store = memoryStore({}, await compactingDisk());
  await (await open(store, 1)).compact();
  return store.operations;
}
