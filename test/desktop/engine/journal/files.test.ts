import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';

import { open, put } from './world.ts';

const about = { type: 'image/jpeg', name: 'valve.jpg' };

describe('the files of a journal', () => {
  it('JOURNAL-13 returns the bytes of a file after a restart and a compaction', async () => {
    const store = memoryStore();
    const journal = await open(store);
    const bytes = new Uint8Array([1, 2, 3, 4]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await journal.putFile('photo', new Blob([bytes]), about)).toEqual({
      id: 'photo',
      ...about,
      size: 4,
      sha256,
    });
    await journal.compact();

    const again = await open(store, 1);
    expect(await again.readFile('photo')).toEqual({ id: 'photo', ...about, size: 4, sha256, bytes });
    expect(await again.listFiles()).toEqual([{ id: 'photo', ...about, size: 4, sha256 }]);
  });

  it('JOURNAL-13 replaces and deletes a file with its bytes', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.putFile('photo', new Uint8Array([1]), about);
    await journal.putFile('photo', new Uint8Array([2]), about);
    expect((await journal.readFile('photo')).bytes).toEqual(new Uint8Array([2]));
    expect([...store.disk.keys()].filter((name) => name.startsWith('file-'))).toHaveLength(1);
    await journal.deleteFile('photo');
    expect([...store.disk.keys()]).toEqual(['segment-00000001']);
    await expect(journal.readFile('photo')).rejects.toMatchObject({ kind: 'missing' });
  });

  it('JOURNAL-13 refuses to return bytes that changed on the disk', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.putFile('photo', new Uint8Array([1, 2]), about);
    const name = must(
      [...store.disk.keys()].find((key) => key.startsWith('file-')),
      'the file',
    );
    store.disk.set(name, new Uint8Array([1, 3]));
    await expect(journal.readFile('photo')).rejects.toMatchObject({ kind: 'damaged' });
    store.disk.delete(name);
    await expect(journal.readFile('photo')).rejects.toMatchObject({ kind: 'missing' });
  });

  it('JOURNAL-13 keeps the old file or the new one at every step of a replacement that crashes', async () => {
    for (let crashAt = 0; crashAt < 3; crashAt += 1) {
      const disk = new Map<string, Uint8Array>();
      await (await open(memoryStore({}, disk))).putFile('photo', new Uint8Array([1]), about);
      const dying = await open(memoryStore({ crashAt, tornBytes: 1 }, disk), 1);
      const replaced = await dying.putFile('photo', new Uint8Array([2]), about).then(
        () => true,
        () => false,
      );
      const again = await open(memoryStore({}, disk), 2);
      expect([...(await again.readFile('photo')).bytes]).toEqual([replaced ? 2 : 1]);
      // A torn tail may hide a record until it is overwritten, so files that it might name are kept until then.
      await again.append([put('a', 1)]);
      await open(memoryStore({}, disk), 3);
      expect([...disk.keys()].filter((name) => name.startsWith('file-'))).toHaveLength(1);
    }
  });

  it('JOURNAL-13 keeps unreferenced files when records were lost', async () => {
    const store = memoryStore();
    const journal = await open(store);
    await journal.append([put('a', 1)]);
    await journal.putFile('photo', new Uint8Array([1]), about);
    await journal.append([put('b', 1)]);
    const segment = must(store.disk.get('segment-00000001'), 'the segment');
    const middle = Math.floor(segment.length / 2);
    segment[middle] = must(segment[middle], 'a byte') ^ 1;
    const again = await open(store, 1);
    expect(await again.listFiles()).toEqual([]);
    expect([...store.disk.keys()].some((name) => name.startsWith('file-'))).toBe(true);
  });

  it('JOURNAL-4 puts and deletes a file once for repeated calls', async () => {
    const journal = await open(memoryStore());
    const first = await journal.putFile('photo', new Uint8Array([1]), about, { id: 'call' });
    await journal.putFile('photo', new Uint8Array([2]), about);
    await journal.putFile('photo', new Uint8Array([1]), about, { id: 'call' });
    expect([...(await journal.readFile('photo')).bytes]).toEqual([2]);
    await journal.deleteFile('photo', { id: 'removal' });
    expect(await journal.putFile('photo', new Uint8Array([1]), about, { id: 'call' })).toEqual(first);
    expect(await journal.listFiles()).toEqual([]);
  });
});
