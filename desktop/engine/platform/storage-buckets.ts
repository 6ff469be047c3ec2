import type { RxStorage } from 'rxdb';

import { type Disk, dexieStorage } from './dexie-storage.ts';
import { knowingFullDisk } from './full-disk.ts';
import type { Environment } from './ports.ts';

/**
 * Storage areas for databases, each with its own files: removing one removes every byte in it. If only a database in an area
 * is deleted, its bytes remain until the browser compacts the files, at a time that cannot be controlled.
 */
export interface StorageAreas {
  /** The storage of a place; creates the place if it does not exist. */
  open(place: string): Promise<RxStorage<unknown, unknown>>;
  /** Removes a place with everything in it; no error when there is none. */
  remove(place: string): Promise<void>;
  list(): Promise<string[]>;
  /** Names of the databases in the platform's common storage, which cannot be removed, that begin with `prefix`. */
  listCommon(prefix: string): Promise<string[]>;
  /** Removes one of them, even if an earlier attempt was interrupted. */
  removeCommon(database: string): Promise<void>;
  /**
   * Rewrites the common storage, so that deleted data leaves its files; resolves to whether it has. `pause` waits, longer
   * each time, since the browser rewrites in the background.
   */
  scrubCommon(pause: () => Promise<void>): Promise<boolean>;
}

/** The part of the Storage Buckets API that is used (https://wicg.github.io/storage-buckets/). */
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
    /** Of all buckets; absent if the browser reports only the sum. */
    readonly usageDetails?: { readonly indexedDB?: number };
  }
}

/** The space that this origin may still use, bytes. */
export async function freeBytes(): Promise<number> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
  return quota - usage;
}

const bucketOptions = { persisted: true, durability: 'strict' } as const;

/** Storage areas in a browser. */
export interface BucketAreas extends StorageAreas {
  /** The databases of a place; creates the place if it does not exist. */
  openIndexedDB(place: string): Promise<IDBFactory>;
}

/** Storage buckets as places; undefined where the browser has none. */
export function bucketAreas(environment: Pick<Environment, 'setTimer'>, disk: Disk): BucketAreas | undefined {
  const buckets = navigator.storageBuckets;
  if (buckets === undefined) return undefined;
  const openIndexedDB = async (place: string): Promise<IDBFactory> =>
    (await knowingFullDisk(freeBytes, () => buckets.open(place, bucketOptions))).indexedDB;
  return {
    async open(place) {
      return dexieStorage(environment, disk, { indexedDB: await openIndexedDB(place), IDBKeyRange });
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
/** Rows in one transaction; the page can do other work in between. */
const rowsAtOnce = 128;
/** Rows of noise in each turn: more than one log file of Chromium's store (4 MB), and another number than in the turn before. */
const scrubRows = [3000, 3700, 4400, 5100];
/** Most turns of one scrub. */
const mostScrubs = 12;
/** Most measurements of the size while it shrinks: because of other work it may never rest. */
const mostLooks = 20;
/** Bytes by which files of the same content may differ. */
const slack = 1_000_000;
/** Most bytes of noise that may remain on the disk. */
const mostGrowth = 100_000_000;

/** The operations on the common storage that a scrub needs. */
export interface ScrubbedStore {
  /** Bytes of its files; NaN if the browser does not report them. */
  bytes(): Promise<number>;
  /** Bytes that may still be stored. */
  room(): Promise<number>;
  /** Writes noise and deletes it. */
  writeNoise(rows: number): Promise<void>;
}

/**
 * Removes deleted data from the files of a store. Writes noise and deletes it again: the store then merges its files and
 * drops deleted data in the order of the deletions. So when the noise is gone, and the size is as before, everything that
 * was deleted earlier is gone too. If some noise remains, the store has missed a file, and the next turn reaches it.
 * Resolves to whether all of it is gone.
 */
export async function dropDeleted(store: ScrubbedStore, pause: () => Promise<void>): Promise<boolean> {
  const atStart = await restingBytes(store, pause);
  let before = atStart;
  for (let turn = 0; turn < mostScrubs; turn += 1) {
    if (before - atStart > mostGrowth || (await store.room()) < mostGrowth) return false;
    await store.writeNoise(scrubRows[turn % scrubRows.length] ?? 0);
    const after = await restingBytes(store, pause);
    // If the browser reports no sizes, one turn must suffice.
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
    room: freeBytes,
    writeNoise,
  };
}

/** Bytes of the files of the common storage; NaN if the browser does not report them. It writes, since browsers drop files only then. */
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
 * Deletes databases of the common storage. Data that was written and deleted within one log file goes into one file, and
 * remains there until something in the key range of that file is deleted. So noise is written before the deletion and
 * deleted after it.
 */
export async function removeDatabases(names: readonly string[]): Promise<void> {
  const after = `${scrubName}-after`;
  // A full disk has no room for noise, and needs the space of the databases.
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
