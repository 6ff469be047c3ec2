import type { RxStorage } from 'rxdb';
import { getRxStorageDexie, type RxStorageDexie } from 'rxdb/plugins/storage-dexie';

import { isFullDisk, namesIn } from './full-disk.ts';
import { overlaid } from './overlaid.ts';
import type { Environment } from './ports.ts';

type Timing = Pick<Environment, 'setTimer'>;

/** How many reads wait because the disk is full. */
export interface DiskWaits {
  count: number;
}

type Instance = Awaited<ReturnType<RxStorageDexie['createStorageInstance']>>;
/** The methods that only read. */
const reads = ['findDocumentsById', 'query', 'count', 'getAttachmentData'] as const;
/** The methods that write. */
const writes = ['bulkWrite', 'cleanup'] as const;
/** The methods after which RxDB no longer uses the database. */
const ends = ['close', 'remove'] as const;

/** Names of errors that a read gets when the browser closes its database. */
const lost = /^(Abort|DatabaseClosed|InvalidState|OpenFailed|TransactionInactive)(Error)?$/;
/** Most attempts of a read on a disk that is not full. */
const mostAttempts = 5;
const firstWait = 100;
const longestWait = 5000;

/**
 * RxDB's storage in IndexedDB. A browser closes databases when it cannot write to the disk or when site data are removed,
 * and neither RxDB nor Dexie opens them again for RxDB. This storage does (DATABASE-1).
 *
 * @param waits Counts the reads that wait for space on the disk.
 * @param settings Where the databases are; without them the common storage of the page.
 */
export function dexieStorage(
  environment: Timing,
  waits: DiskWaits,
  settings: { indexedDB?: IDBFactory; IDBKeyRange?: typeof IDBKeyRange } = {},
): RxStorage<unknown, unknown> {
  const storage = getRxStorageDexie({ ...settings, chromeTransactionDurability: 'strict' });
  const createStorageInstance: typeof storage.createStorageInstance = async (params) =>
    reopened(await storage.createStorageInstance(params), environment, waits);
  return overlaid(storage, { createStorageInstance }) as RxStorage<unknown, unknown>;
}

function reopened<I extends Pick<Instance, 'internals'>>(
  instance: I,
  { setTimer }: Timing,
  waits: DiskWaits,
): I {
  const { internals } = instance;
  let isClosed = false;
  const open = async (): Promise<void> => {
    const { dexieDb } = await internals;
    if (!isClosed && !dexieDb.isOpen()) await dexieDb.open();
  };
  /** Whether another attempt may succeed. A disk that stays full is waited for. */
  const mayRetry = (error: unknown, attempt: number): boolean =>
    !isClosed &&
    (isFullDisk(error) || (attempt < mostAttempts && namesIn(error).some((name) => lost.test(name))));
  const methodOf = (name: string): ((...args: unknown[]) => Promise<unknown>) =>
    (Reflect.get(instance, name) as (...args: unknown[]) => Promise<unknown>).bind(instance);
  const read =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await open();
          return await methodOf(name)(...args);
        } catch (error) {
          if (!mayRetry(error, attempt)) throw error;
          const isFull = isFullDisk(error);
          if (isFull) waits.count += 1;
          await new Promise<void>((resolve) =>
            setTimer(resolve, Math.min(longestWait, firstWait * 2 ** attempt)),
          );
          if (isFull) waits.count -= 1;
        }
      }
    };
  const write =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      await open();
      return methodOf(name)(...args);
    };
  const end =
    (name: string) =>
    (...args: unknown[]): Promise<unknown> => {
      isClosed = true;
      return methodOf(name)(...args);
    };
  return overlaid(instance, { ...replaced(reads, read), ...replaced(writes, write), ...replaced(ends, end) });
}

function replaced(names: readonly string[], by: (name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, by(name)]));
}
