import { expect, test } from 'vitest';

import { ArchiveRows } from '#desktop/engine/storage/archive-rows.ts';
import { fillable } from '#test/support/full-storage.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

test('ARCHIVE-4 the index opens on a full disk, and can be opened again after a failure', async () => {
  let isFull = true;
  let isBroken = true;
  const full = fillable(memoryStorage(), () => isFull);
  const storage: typeof full = {
    ...full,
    createStorageInstance: async (params) => {
      if (isBroken && params.collectionName === 'archives') throw new Error('The files cannot be opened');
      return full.createStorageInstance(params);
    },
  };
  await expect(ArchiveRows.open(storage, false)).rejects.toThrow('The files cannot be opened');
  isBroken = false;
  const rows = await ArchiveRows.open(storage, false);
  expect(await rows.all()).toEqual([]);
  isFull = false;
  await rows.close();
});
