import type { RxStorage } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

/**
 * Places for databases, each with files of its own: removing a place removes every byte that was in it. A database
 * that is deleted inside a place leaves its bytes there until the browser compacts them, at a time nobody can choose.
 */
export interface Places {
  /** The storage of a place; an empty one is made where there is none. */
  open(place: string): Promise<RxStorage<unknown, unknown>>;
  /** Removes a place with everything in it; no error when there is none. */
  remove(place: string): Promise<void>;
  list(): Promise<string[]>;
  /** Names of the databases in the platform's common storage, which cannot be removed, that begin with `prefix`. */
  listCommon(prefix: string): Promise<string[]>;
  /** Removes one of them, however much of it an earlier attempt has left. */
  removeCommon(database: string): Promise<void>;
  /** Rewrites the common storage, so that what was deleted in it leaves its files. */
  scrubCommon(): Promise<void>;
}

/** What of the Storage Buckets API is used (https://wicg.github.io/storage-buckets/). */
interface StorageBuckets {
  open(
    name: string,
    options: { persisted: boolean; durability: 'strict' | 'relaxed' },
  ): Promise<{ readonly indexedDB: IDBFactory }>;
  keys(): Promise<string[]>;
  delete(name: string): Promise<void>;
}

declare global {
  interface Navigator {
    /** Absent where the browser has no buckets. */
    readonly storageBuckets?: StorageBuckets;
  }
}

/** Storage buckets as places; undefined where the browser has none. */
export function bucketPlaces(): Places | undefined {
  const buckets = navigator.storageBuckets;
  if (buckets === undefined) return undefined;
  return {
    async open(place) {
      const bucket = await buckets.open(place, { persisted: true, durability: 'strict' });
      return getRxStorageDexie({
        indexedDB: bucket.indexedDB,
        IDBKeyRange,
        chromeTransactionDurability: 'strict',
      });
    },
    remove: (place) => buckets.delete(place),
    list: () => buckets.keys(),
    async listCommon(prefix) {
      const files = await commonFiles(prefix);
      return [...new Set(files.map((name) => name.slice(filePrefix.length).replace(/--.*$/, '')))];
    },
    async removeCommon(database) {
      for (const file of await commonFiles(`${database}--`)) await settled(indexedDB.deleteDatabase(file));
    },
    scrubCommon,
  };
}

/** RxDB keeps each collection in an IndexedDB database `rxdb-dexie-{database}--{version}--{collection}`. */
const filePrefix = 'rxdb-dexie-';

async function commonFiles(prefix: string): Promise<string[]> {
  const present = await indexedDB.databases();
  return present.flatMap(({ name }) => (name?.startsWith(filePrefix + prefix) === true ? [name] : []));
}

const scrubName = 'benchbook-scrub';
/** More than Chromium's store keeps in one piece of its log (4 MB), so that all levels of its files are merged. */
const scrubRows = 3000;
const scrubRowBytes = 4096;
/** Measured: after the second round nothing was left, whatever had been deleted before. */
const scrubRounds = 3;

/** Writes noise beside what was deleted and deletes it again: the store then merges its files and drops both. */
async function scrubCommon(): Promise<void> {
  for (let round = 0; round < scrubRounds; round += 1) {
    const opening = indexedDB.open(scrubName, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('noise'));
    const database = await settled(opening);
    const writing = database.transaction('noise', 'readwrite');
    const rows = round === 0 ? scrubRows : 1;
    for (let row = 0; row < rows; row += 1)
      writing.objectStore('noise').put(crypto.getRandomValues(new Uint8Array(scrubRowBytes)), row);
    await new Promise<void>((resolve, reject) => {
      writing.addEventListener('complete', () => resolve());
      writing.addEventListener('abort', () => reject(writing.error ?? new Error('IndexedDB failed')));
    });
    database.close();
    await settled(indexedDB.deleteDatabase(scrubName));
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
