import { expect, test } from 'vitest';

import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';

import { open, outboxOf, put } from './world.ts';

function textOn(disk: ReadonlyMap<string, Uint8Array>): string {
  return [...disk.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
}

test('LEAVING-3 a purge leaves no deleted data, not even in segments kept for support', async () => {
  const store = memoryStore();
  const first = await open(store);
  for (const id of ['one', 'two', 'three']) await first.append([put(id, `words of ${id}`)]);
  await first.close();
  const segment = must(store.disk.get('segment-00000001'), 'the segment');
  const middle = Math.floor(segment.length / 2);
  segment[middle] = must(segment[middle], 'a byte') ^ 1;

  const journal = await open(memoryStore({}, store.disk), 1);
  expect(journal.health().damage).toHaveLength(1);
  await journal.append([put('secret', 'not to be seen')]);
  await journal.forget('outbox', ['secret', 'one']);
  expect(textOn(store.disk)).toContain('words of one');
  await journal.purge();

  expect(textOn(store.disk)).not.toContain('not to be seen');
  expect(textOn(store.disk)).not.toContain('words of one');
  const left = await outboxOf(journal);
  expect(left).not.toEqual({});
  expect(await outboxOf(await open(memoryStore({}, store.disk), 2))).toEqual(left);
});

test('LEAVING-3 a purge that does not fit on the disk says so and changes nothing', async () => {
  const store = memoryStore();
  const journal = await open(store);
  await journal.append([put('one', 'x'.repeat(5000))]);
  const before = textOn(store.disk);
  store.faults.capacity = before.length + 1000;
  await expect(journal.purge()).rejects.toMatchObject({ kind: 'no-space' });
  expect(textOn(store.disk)).toBe(before);
  delete store.faults.capacity;
  await journal.append([put('two', 'y')]);
  expect(Object.keys(await outboxOf(await open(memoryStore({}, store.disk), 2)))).toEqual(['one', 'two']);
});

test('JOURNAL-13 a purge keeps a file whose bytes are written before its record', async () => {
  const store = memoryStore();
  let purged: Promise<void> | undefined;
  const journal = await open({
    ...store,
    async write(name, bytes) {
      await store.write(name, bytes);
      if (name.startsWith('file-')) purged = journal.purge();
    },
  });
  await journal.putFile('photo', new Uint8Array([1, 2, 3]), { type: 'image/png', name: 'a.png' });
  await purged;
  expect((await journal.readFile('photo')).bytes).toEqual(new Uint8Array([1, 2, 3]));
});
