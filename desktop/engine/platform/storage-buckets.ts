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

/** Places in a browser. */
export interface BucketPlaces extends Places {
  /** The databases of a place; an empty place is made where there is none. */
  openIndexedDB(place: string): Promise<IDBFactory>;
}

/** Storage buckets as places; undefined where the browser has none. */
export function bucketPlaces(): BucketPlaces | undefined {
  const buckets = navigator.storageBuckets;
  if (buckets === undefined) return undefined;
  const openIndexedDB = async (place: string): Promise<IDBFactory> =>
    (await buckets.open(place, bucketOptions)).indexedDB;
  return {
    async open(place) {
      return getRxStorageDexie({
        indexedDB: await openIndexedDB(place),
        IDBKeyRange,
        chromeTransactionDurability: 'strict',
      });
    },
    openIndexedDB,
    remove: (place) => buckets.delete(place),
    list: () => buckets.keys(),
    async listCommon(prefix) {
      const files = await commonFiles(prefix);
      return [...new Set(files.map((name) => name.slice(filePrefix.length).replace(/--.*$/, '')))];
    },
    async removeCommon(database) {
      await removeDatabases(await commonFiles(`${database}--`));
    },
    scrubCommon: (pause) => dropDeleted(commonStore(buckets), pause),
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
/** Rows that are written at once: the page goes on in between. */
const rowsAtOnce = 128;
/** Rows of noise, turn by turn: more than Chromium's store keeps in one piece of its log (4 MB), never as many as before. */
const scrubRows = [3000, 3700, 4400, 5100];
/** How often it is tried before the next start. */
const mostScrubs = 12;
/** How often it is looked whether the files still shrink: other work may never let them rest. */
const mostLooks = 20;
/** Bytes by which files of the same content differ. */
const slack = 1_000_000;
/** Bytes of noise that may lie on the disk because the browser does not drop them. */
const mostGrowth = 100_000_000;

/** The common storage, as far as a scrub needs it. */
export interface ScrubbedStore {
  /** Bytes of its files; NaN where the browser does not tell. */
  bytes(): Promise<number>;
  /** Bytes that may still be stored. */
  room(): Promise<number>;
  /** Writes noise and deletes it. */
  writeNoise(rows: number): Promise<void>;
}

/**
 * Writes noise beside what was deleted and deletes it again: the store merges its files and drops both, in the order in
 * which they were deleted. What was deleted is gone when the noise is, and nothing else has shrunk beside it. Where some
 * of the noise stays, the store has missed a file, which the next turn reaches. Whether all of it is gone.
 */
export async function dropDeleted(store: ScrubbedStore, pause: () => Promise<void>): Promise<boolean> {
  const atStart = await restingBytes(store, pause);
  let before = atStart;
  for (let turn = 0; turn < mostScrubs; turn += 1) {
    if (before - atStart > mostGrowth || (await store.room()) < mostGrowth) return false;
    await store.writeNoise(scrubRows[turn % scrubRows.length] ?? 0);
    const after = await restingBytes(store, pause);
    // Where the browser gives no figures nothing more can be learnt: one turn has to do.
    if (!(Math.abs(after - before) > slack)) return true;
    before = after;
  }
  return false;
}

/** Bytes of the common storage, once they have stopped shrinking. */
async function restingBytes(store: ScrubbedStore, pause: () => Promise<void>): Promise<number> {
  let last = await store.bytes();
  for (let looks = 0, still = 0; still < 3 && looks < mostLooks; looks += 1) {
    await pause();
    const bytes = await store.bytes();
    still = bytes < last - slack ? 0 : still + 1;
    last = bytes;
  }
  return last;
}

function commonStore(buckets: StorageBuckets): ScrubbedStore {
  return {
    bytes: () => nudgedBytes(buckets),
    async room() {
      const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
      return quota - usage;
    },
    writeNoise,
  };
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
  // A full disk has no room for noise, and needs what the databases hold.
  await fill(after, 1).catch(() => undefined);
  for (const database of [...names, after]) await settled(indexedDB.deleteDatabase(database));
}

async function writeNoise(rows: number): Promise<void> {
  try {
    await fill(scrubName, rows);
  } finally {
    await removeDatabases([scrubName]);
  }
}

async function fill(name: string, rows: number): Promise<void> {
  const opening = indexedDB.open(name, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('noise'));
  const database = await settled(opening);
  try {
    for (let row = 0; row < rows; row += rowsAtOnce)
      await putNoise(database, row, Math.min(rows, row + rowsAtOnce));
  } finally {
    // A database that is open cannot be deleted.
    database.close();
  }
}

async function putNoise(database: IDBDatabase, from: number, to: number): Promise<void> {
  const writing = database.transaction('noise', 'readwrite');
  for (let row = from; row < to; row += 1)
    writing.objectStore('noise').put(crypto.getRandomValues(new Uint8Array(scrubRowBytes)), row);
  await new Promise<void>((resolve, reject) => {
    writing.addEventListener('complete', () => resolve());
    writing.addEventListener('abort', () => reject(writing.error ?? new Error('IndexedDB failed')));
  });
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
