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
  /**
   * Rewrites the common storage, so that what was deleted in it leaves its files; whether it has left them. `pause` gives
   * the browser some time, more each time: it rewrites at its leisure.
   */
  scrubCommon(pause: () => Promise<void>): Promise<boolean>;
}

/** What of the Storage Buckets API is used (https://wicg.github.io/storage-buckets/). */
interface StorageBuckets {
  open(
    name: string,
    options: { persisted: boolean; durability: 'strict' | 'relaxed' },
  ): Promise<{ readonly indexedDB: IDBFactory; estimate(): Promise<StorageEstimate> }>;
  keys(): Promise<string[]>;
  delete(name: string): Promise<void>;
}

declare global {
  interface Navigator {
    /** Absent where the browser has no buckets. */
    readonly storageBuckets?: StorageBuckets;
  }

  interface StorageEstimate {
    /** Of all buckets; absent where the browser tells only the sum. */
    readonly usageDetails?: { readonly indexedDB?: number };
  }
}

const bucketOptions = { persisted: true, durability: 'strict' } as const;

/** Storage buckets as places; undefined where the browser has none. */
export function bucketPlaces(): Places | undefined {
  const buckets = navigator.storageBuckets;
  if (buckets === undefined) return undefined;
  return {
    async open(place) {
      const bucket = await buckets.open(place, bucketOptions);
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
      await removeDatabases(await commonFiles(`${database}--`));
    },
    scrubCommon: (pause) => scrubCommon(buckets, pause),
  };
}

/** RxDB keeps each collection in an IndexedDB database `rxdb-dexie-{database}--{version}--{collection}`. */
const filePrefix = 'rxdb-dexie-';

async function commonFiles(prefix: string): Promise<string[]> {
  const present = await indexedDB.databases();
  return present.flatMap(({ name }) => (name?.startsWith(filePrefix + prefix) === true ? [name] : []));
}

const scrubName = 'benchbook-scrub';
const scrubRowBytes = 4096;
/** Rows of noise, turn by turn: more than Chromium's store keeps in one piece of its log (4 MB), never as many as before. */
const scrubRows = [3000, 3700, 4400, 5100];
/** How often it is tried before the next start. */
const mostScrubs = 12;
/** Bytes by which files of the same content differ. */
const slack = 1_000_000;

/**
 * Writes noise beside what was deleted and deletes it again: the store merges its files and drops both, in the order in
 * which they were deleted. What was deleted is gone when the noise is, and nothing else has shrunk beside it. Where some
 * of the noise stays, the store has missed a file, which the next turn reaches.
 */
async function scrubCommon(buckets: StorageBuckets, pause: () => Promise<void>): Promise<boolean> {
  let before = await restingBytes(buckets, pause);
  for (let turn = 0; turn < mostScrubs; turn += 1) {
    await writeNoise(scrubRows[turn % scrubRows.length] ?? 0);
    const after = await restingBytes(buckets, pause);
    // A browser that does not tell has merged by now, as far as anybody knows.
    if (!(Math.abs(after - before) > slack)) return true;
    before = after;
  }
  return false;
}

/** Bytes of the common storage when they shrink no more for now. */
async function restingBytes(buckets: StorageBuckets, pause: () => Promise<void>): Promise<number> {
  let last = await nudgedBytes(buckets);
  for (let still = 0; still < 3;) {
    await pause();
    const bytes = await nudgedBytes(buckets);
    still = bytes < last - slack ? 0 : still + 1;
    last = bytes;
  }
  return last;
}

/** Bytes of the files of the common storage; NaN where the browser does not tell. It drops files only when it writes. */
async function nudgedBytes(buckets: StorageBuckets): Promise<number> {
  await writeNoise(1);
  const { usageDetails } = await navigator.storage.estimate();
  if (usageDetails === undefined) return NaN;
  let { indexedDB: bytes = 0 } = usageDetails;
  for (const place of await buckets.keys()) {
    const bucket = await buckets.open(place, bucketOptions);
    bytes -= (await bucket.estimate()).usage ?? 0;
  }
  return bytes;
}

/**
 * Deletes databases of the common storage. What was written and deleted within one piece of its log goes into a file
 * together, and stays there until something is deleted that lies in the range of this file: noise that is written before
 * the deletion and deleted after it.
 */
export async function removeDatabases(names: readonly string[]): Promise<void> {
  const after = `${scrubName}-after`;
  await fill(after, 1);
  for (const database of [...names, after]) await settled(indexedDB.deleteDatabase(database));
}

async function writeNoise(rows: number): Promise<void> {
  await fill(scrubName, rows);
  await removeDatabases([scrubName]);
}

async function fill(name: string, rows: number): Promise<void> {
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('noise'));
  const database = await settled(opening);
  const writing = database.transaction('noise', 'readwrite');
  for (let row = 0; row < rows; row += 1)
    writing.objectStore('noise').put(crypto.getRandomValues(new Uint8Array(scrubRowBytes)), row);
  await new Promise<void>((resolve, reject) => {
    writing.addEventListener('complete', () => resolve());
    writing.addEventListener('abort', () => reject(writing.error ?? new Error('IndexedDB failed')));
  });
  database.close();
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
