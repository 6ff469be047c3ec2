import { createRxDatabase } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

import { plainSchema } from '#desktop/engine/storage/mirror-collections.ts';

declare global {
  interface Window {
    /** Puts the database of an older version in the place of a home's, with about `megabytes` of records that say `word`. */
    plantOlder(plant: {
      home: string;
      place: 'common' | 'bucket';
      word: string;
      megabytes: number;
    }): Promise<void>;
  }
}

/** Small enough that the browser keeps it among others, in a file that it rewrites when it likes. */
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
