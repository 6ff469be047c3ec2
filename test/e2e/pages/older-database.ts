import { createRxDatabase } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

import { plainSchema } from '#desktop/engine/storage/mirror-collections.ts';

declare global {
  interface Window {
    /**
     * Replaces the database of a home by one of an older version, with about `megabytes` of records that contain
     * `word`.
     */
    plantOlder(plant: {
      home: string;
      place: 'common' | 'bucket';
      word: string;
      megabytes: number;
    }): Promise<void>;
  }
}

/** Small enough that the browser stores it among others, in a file that it rewrites at any time. */
const rowBytes = 8000;

function bodyWith(word: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array((rowBytes * 3) / 4));
  return `${word} ${btoa(String.fromCharCode(...bytes))}`;
}

window.plantOlder = async ({ home, place, word, megabytes }) => {
  const buckets = navigator.storageBuckets;
  if (buckets === undefined) throw new Error('This browser has no buckets');
  for (const name of await buckets.keys()) if (name.startsWith(home)) await buckets.delete(name);
  const [name, factory] =
    place === 'common'
      ? [home, indexedDB]
      : [
          `${home}-g1`,
          (await buckets.open(`${home}-g1`, { persisted: true, durability: 'strict' })).indexedDB,
        ];
  const storage = getRxStorageDexie({ indexedDB: factory, IDBKeyRange });
  const database = await createRxDatabase({ name: `${name}-v2`, storage, multiInstance: false });
  const added = await database.addCollections({ wikis: { schema: plainSchema } });
  const { wikis } = added;
  const rows = Math.ceil((megabytes * 1e6) / rowBytes);
  for (let first = 0; first < rows; first += 100)
    await wikis.bulkInsert(
      Array.from({ length: 100 }, (_, index) => ({
        id: String(first + index),
        seq: 1,
        body: bodyWith(word),
      })),
    );
  await database.close();
};
