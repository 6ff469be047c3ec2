import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { openDatabase } from '#desktop/engine/storage/database.ts';
import { localDocument } from '#desktop/engine/storage/local-document.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

test('OUTBOX-40 a subscriber of a local document receives its changes, and does not store changes of other records in memory', async () => {
  const database = await openDatabase('benchbook-0123456789', memoryStorage(), false);
  const seen: unknown[] = [];
  const following = localDocument(database, 'wish').subscribe((value) => seen.push(value));
  await expect.poll(() => seen).toEqual([null]);
  await database.upsertLocal('other', { at: 1 });
  await database.upsertLocal('wish', { at: 2 });
  await expect.poll(() => seen).toEqual([null, { at: 2 }]);

  const told = firstValueFrom(database.outbox.eventBulks$).then((bulk) => new WeakRef(bulk));
  await database.outbox.insert({ id: 'a', body: 'Waits' });
  const bulk = await told;
  const isKept = (): boolean => {
    collectGarbage();
    return bulk.deref() !== undefined;
  };
  await expect.poll(isKept).toBe(false);
  following.unsubscribe();
  await database.close();
});
