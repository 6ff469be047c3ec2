import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JournalError } from '#desktop/engine/journal/journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';

import { open, outboxOf, put } from './world.ts';

describe('a journal', () => {
  it('JOURNAL-2 returns the current values after reopening', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.append([put('a', 1), put('b', 2), put('d', 'text', 'drafts')]);
    await journal.append([put('a', { changed: true }), { op: 'delete', collection: 'outbox', id: 'b' }]);
    await journal.close();

    const { outbox, drafts, meta } = await (await open(store, 1)).entries();
    expect([...outbox]).toEqual([['a', { changed: true }]]);
    expect([...drafts]).toEqual([['d', 'text']]);
    expect(meta.size).toBe(0);
  });

  it('JOURNAL-3 applies the records of one append together, and appends in order, across segments', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await Promise.all([
      journal.append([put('a', 1), put('b', 1)]),
      journal.append([put('a', 2), { op: 'delete', collection: 'outbox', id: 'b' }, put('c', 2)]),
      journal.append([put('b', 3), put('c', 3)]),
    ]);
    await journal.close();
    const after = [{}, { a: 1, b: 1 }, { a: 2, c: 2 }, { a: 2, b: 3, c: 3 }];
    const [name, bytes] = must([...store.disk][0], 'the segment');
    const seen: object[] = [];
    for (let end = 0; end <= bytes.length; end += 1) {
      const cut = memoryStore({}, new Map([[name, bytes.slice(0, end)]]));
      const read = await outboxOf(await open(cut, 1));
      if (JSON.stringify(read) !== JSON.stringify(seen.at(-1))) seen.push(read);
    }
    expect(seen).toEqual(after);
  });

  it('JOURNAL-5 returns every JSON value and byte array as it was put', async () => {
    const bytes = fc.uint8Array().map((given) => new Uint8Array(given));
    const value = fc.oneof(
      fc.jsonValue({ noUnicodeString: false }),
      bytes,
      fc.record({ update: bytes, list: fc.array(bytes), title: fc.string({ unit: 'binary' }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
        const store = memoryStore();
        const journal = await open(store);
        await journal.append(values.map((item, index) => put(String(index), item)));
        const again = await open(store, 1);
        // JSON has no negative zero.
        const expected = Object.fromEntries(
          values.map((item, index) => [String(index), withoutNegativeZero(item)]),
        );
        expect(await outboxOf(again)).toEqual(expected);
        expect(await outboxOf(journal)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['a function', () => 1],
    ['not a number', Number.NaN],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a big integer', 1n],
    ['the key reserved for bytes', { '\u0000bytes': [0, 1] }],
  ])('JOURNAL-5 refuses %s and keeps working', async (_, value) => {
    const journal = await open(memoryStore());
    await expect(journal.append([put('a', { value })])).rejects.toMatchObject({ kind: 'invalid' });
    await journal.append([put('b', 1)]);
    expect(await outboxOf(journal)).toEqual({ b: 1 });
  });

  it('JOURNAL-5 stores the value as it was when append was called', async () => {
    const journal = await open(memoryStore());
    const draft = { title: 'before' };
    const saved = journal.append([put('a', draft)]);
    draft.title = 'after';
    await saved;
    const read = await outboxOf(journal);
    expect(read).toEqual({ a: { title: 'before' } });
    Object.assign(read['a'] as object, { title: 'mine' });
    expect(await outboxOf(journal)).toEqual({ a: { title: 'before' } });
  });

  it('JOURNAL-4 performs a repeated append once, also across a restart and a compaction', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await Promise.all([
      journal.append([put('a', 'first')], { id: 'x' }),
      journal.append([put('a', 'first')], { id: 'x' }),
    ]);
    await journal.append([put('a', 'second')]);
    await journal.append([put('a', 'first')], { id: 'x' });
    expect(await outboxOf(journal)).toEqual({ a: 'second' });

    const restarted = await open(store, 1);
    await restarted.append([put('a', 'first')], { id: 'x' });
    await restarted.compact();
    await restarted.append([put('a', 'first')], { id: 'x' });
    const compacted = await open(store, 2);
    await compacted.append([put('a', 'first')], { id: 'x' });
    expect(await outboxOf(compacted)).toEqual({ a: 'second' });
  });

  it('JOURNAL-11 shares one fsync among waiting appends', async () => {
    const store = memoryStore();
    const journal = await open(store);
    const before = store.syncs;
    await Promise.all(Array.from({ length: 100 }, (_, index) => journal.append([put(String(index), index)])));
    expect(store.syncs - before).toBe(1);
    expect(Object.keys(await outboxOf(await open(store, 1)))).toHaveLength(100);
  });

  it('JOURNAL-2 deletes records on request', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.append([put('a', 1), put('b', 2)]);
    await journal.forget('outbox', ['a', 'unknown']);
    expect(await outboxOf(journal)).toEqual({ b: 2 });
    expect(await outboxOf(await open(store, 1))).toEqual({ b: 2 });
  });

  it('JOURNAL-8 opens a journal of a newer version read-only and changes no byte of it', async () => {
    const store = memoryStore();
    const writer = await open(store);
    await writer.append([put('a', 1)]);
    await writer.compact();
    const { frame, segment } = await foreignFrame(store.disk);
    store.disk.set(segment, new Uint8Array([...(store.disk.get(segment) ?? []), ...frame]));
    const before = structuredClone(store.disk);

    const journal = await open(store, 1);
    expect(journal.health()).toMatchObject({ writable: false, problem: 'newer' });
    expect(await outboxOf(journal)).toEqual({ a: 1 });
    await expect(journal.append([put('b', 1)])).rejects.toMatchObject({ kind: 'read-only' });
    await expect(journal.compact()).rejects.toMatchObject({ kind: 'read-only' });
    expect(store.disk).toEqual(before);
  });

  it('JOURNAL-2 refuses appends after it was closed', async () => {
    const journal = await open(memoryStore());
    const last = journal.append([put('a', 1)]);
    await journal.close();
    await last;
    await expect(journal.append([put('b', 1)])).rejects.toBeInstanceOf(JournalError);
  });

  it('JOURNAL-7 exports everything, bytes included', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.append([put('a', { update: new Uint8Array([1, 2, 3]) })]);
    await journal.putFile('photo', new Uint8Array([9]), { type: 'image/png', name: 'p.png' });
    const all = await journal.exportAll();
    const summary: unknown = JSON.parse(new TextDecoder().decode(all['journal.json']));
    expect(summary).toMatchObject({
      exportedAt: '2026-11-21T00:00:00.000Z',
      outbox: { a: { update: { base64: 'AQID' } } },
      files: [{ id: 'photo', name: 'p.png', size: 1 }],
    });
    expect(Object.keys(all)).toHaveLength(3);
  });
});

async function foreignFrame(disk: Map<string, Uint8Array>): Promise<{ frame: Uint8Array; segment: string }> {
  const { encodeFrame, scanSegment } = await import('#desktop/engine/journal/format.ts');
  const { segmentNumber } = await import('#desktop/engine/journal/replay.ts');
  const [segment = '', bytes = new Uint8Array()] = [...disk][0] ?? [];
  const number = segmentNumber(segment) ?? 0;
  const payload = new Uint8Array([2, 0, 0, 0, 123, 125]);
  return { frame: encodeFrame({ kind: 'batch', payload }, number, scanSegment(bytes, number).end), segment };
}

function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNegativeZero(item)]));
}
