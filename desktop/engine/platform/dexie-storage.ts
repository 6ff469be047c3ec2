import type { Dexie, Table, Transaction, TransactionMode } from 'dexie';
import type { BehaviorSubject } from 'rxjs';
import type { RxStorage } from 'rxdb';
import { getRxStorageDexie, type RxStorageDexie } from 'rxdb/plugins/storage-dexie';

import { isFullDisk, knowingFullDisk, namesIn } from './full-disk.ts';
import { overlaid } from './overlaid.ts';
import type { Environment } from './ports.ts';

type Timing = Pick<Environment, 'setTimer'>;

/** What the databases need to know of the disk, and tell about it. */
export interface Disk {
  /** The space that may still be used, bytes. */
  freeBytes(): Promise<number>;
  /** How many reads wait because the disk is full. */
  waits: BehaviorSubject<number>;
}

/** What RxDB does in a transaction. */
type Scope = (transaction: Transaction) => PromiseLike<unknown>;
type Instance = Awaited<ReturnType<RxStorageDexie['createStorageInstance']>>;
/** The methods that only read. */
const reads = ['findDocumentsById', 'query', 'count', 'getAttachmentData'] as const;
/** The methods that write. */
const writes = ['bulkWrite', 'cleanup'] as const;
/** The methods after which RxDB no longer uses the database. */
const ends = ['close', 'remove'] as const;

/** Names of errors that a read gets when the browser closes its database. */
const lost = /^(Abort|DatabaseClosed|InvalidState|OpenFailed|TransactionInactive|Unknown)(Error)?$/;
/** Most attempts of a read on a disk that is not full. */
const mostAttempts = 5;
const firstWait = 100;
const longestWait = 5000;

/**
 * RxDB's storage in IndexedDB. A browser closes databases when it cannot write to the disk or when site data are removed,
 * and neither RxDB nor Dexie opens them again for RxDB. This storage does (DATABASE-1).
 *
 * @param settings Where the databases are; without them the common storage of the page.
 */
export function dexieStorage(
  environment: Timing,
  disk: Disk,
  settings: { indexedDB?: IDBFactory; IDBKeyRange?: typeof IDBKeyRange } = {},
): RxStorage<unknown, unknown> {
  const storage = getRxStorageDexie({
    ...settings,
    chromeTransactionDurability: 'strict',
    onCreate: async (database) => {
      leaveOpeningToCalls(database);
      failWithTransactions(database);
    },
  });
  const createStorageInstance: typeof storage.createStorageInstance = async (params) =>
    reopened(await storage.createStorageInstance(params), environment, disk);
  return overlaid(storage, { createStorageInstance }) as RxStorage<unknown, unknown>;
}

/** RxDB opens a database only once, and a failure would stay. Each call opens it again, so the first failure is ignored. */
function leaveOpeningToCalls(database: Dexie): void {
  const opening = { open: database.open.bind(database), isFirst: true };
  database.open = () => {
    const opened = opening.open();
    if (!opening.isFirst) return opened;
    opening.isFirst = false;
    return opened.catch(() => database);
  };
}

/**
 * RxDB waits for a cursor without listening to its errors, so a query would wait forever when the browser closes the
 * database meanwhile. With this it fails as soon as its transaction does.
 */
function failWithTransactions(database: Dexie): void {
  const run: Dexie['transaction'] = database.transaction.bind(database);
  const transaction = (mode: TransactionMode, ...rest: [...Table[], Scope]): Promise<unknown> => {
    const tables = rest.slice(0, -1) as Table[];
    const scope = rest.at(-1) as Scope;
    const failure = Promise.withResolvers<never>();
    // Dexie must see an async function, or the calls of `scope` after its first `await` have no transaction.
    const done = run(mode, tables, async (opened) => {
      // Without a reason when the browser has closed the database.
      opened.on('error', (reason: unknown) =>
        failure.reject(reason ?? new DOMException('The browser ended a transaction', 'AbortError')),
      );
      return scope(opened);
    });
    return Promise.race([done, failure.promise]);
  };
  Object.assign(database, { transaction });
}

function reopened<I extends Pick<Instance, 'internals'>>(instance: I, { setTimer }: Timing, disk: Disk): I {
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
  const call = (name: string, args: unknown[]): Promise<unknown> =>
    knowingFullDisk(
      () => disk.freeBytes(),
      async () => {
        await open();
        return methodOf(name)(...args);
      },
    );
  const read =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      let isWaiting = false;
      const wait = (isFull: boolean): void => {
        if (isFull !== isWaiting) disk.waits.next(disk.waits.value + (isFull ? 1 : -1));
        isWaiting = isFull;
      };
      try {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await call(name, args);
          } catch (error) {
            if (!mayRetry(error, attempt)) throw error;
            wait(isFullDisk(error));
            await new Promise<void>((resolve) =>
              setTimer(resolve, Math.min(longestWait, firstWait * 2 ** attempt)),
            );
          }
        }
      } finally {
        wait(false);
      }
    };
  const write =
    (name: string) =>
    (...args: unknown[]): Promise<unknown> =>
      call(name, args);
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
