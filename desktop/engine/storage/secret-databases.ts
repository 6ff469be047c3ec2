import type { SecretStore } from '../platform/ports.ts';
import { knowingFullDisk } from '../platform/full-disk.ts';
import { freeBytes, removeDatabases, type BucketAreas } from '../platform/storage-buckets.ts';

/** A database with secrets. */
interface SecretDatabase {
  indexedDB: IDBFactory;
  name: string;
}

/**
 * The secret store of a browser: IndexedDB, since browsers have nothing safer. Each secret has a database of its own. A
 * token (`token-…`) has one in a storage bucket of its own where the browser has buckets: data that is deleted in the
 * common storage stays in its files for an unknown time, while a bucket is deleted with its files (leaving README,
 * LEAVING-7).
 *
 * @param prefix Start of the names of all databases and buckets.
 */
export function databaseSecrets(prefix: string, places: BucketAreas | undefined): SecretStore {
  const nameOf = (key: string): string => `${prefix}-secret-${key}`;
  /** The database in which earlier versions stored all secrets. */
  const together: SecretDatabase = { indexedDB, name: `${prefix}-secrets` };
  const common = (key: string): SecretDatabase => ({ indexedDB, name: nameOf(key) });
  const ownPlace = (key: string): BucketAreas | undefined => (key.startsWith('token-') ? places : undefined);
  const inPlace = async (own: BucketAreas, key: string): Promise<SecretDatabase> => ({
    indexedDB: await own.openIndexedDB(nameOf(key)),
    name: 'secret',
  });
  /** The databases that may have the secret, those of the latest version first. */
  const whereRead = async (key: string): Promise<SecretDatabase[]> => {
    const own = ownPlace(key);
    // Opening a bucket would create it.
    const isPlaced = own !== undefined && (await own.list()).includes(nameOf(key));
    return [...(isPlaced ? [await inPlace(own, key)] : []), common(key), together];
  };
  const removeTogether = async (key: string): Promise<void> => {
    if (await isThere(together)) await inStore(together, 'readwrite', (store) => store.delete(key));
  };
  const removeCommon = async (key: string): Promise<void> => {
    if (await isThere(common(key))) await removeDatabases([nameOf(key)]);
  };
  return {
    read: async (key) => {
      for (const database of await whereRead(key)) {
        if (!(await isThere(database))) continue;
        const value: unknown = await inStore(database, 'readonly', (store) => store.get(key));
        if (typeof value === 'string') return value;
      }
      return undefined;
    },
    write: async (key, secret) => {
      const own = ownPlace(key);
      const database = own === undefined ? common(key) : await inPlace(own, key);
      await inStore(database, 'readwrite', (store) => store.put(secret, key));
      await removeTogether(key);
      if (own !== undefined) await removeCommon(key);
    },
    // The earliest version first: if only a later one were removed, the earlier one would be read again.
    remove: async (key) => {
      await removeTogether(key);
      await removeCommon(key);
      await ownPlace(key)?.remove(nameOf(key));
    },
  };
}

async function isThere({ indexedDB: factory, name }: SecretDatabase): Promise<boolean> {
  return (await factory.databases()).some((one) => one.name === name);
}

function inStore<T>(
  database: SecretDatabase,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return knowingFullDisk(freeBytes, () => askStore(database, mode, ask));
}

async function askStore<T>(
  database: SecretDatabase,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = database.indexedDB.open(database.name, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('secrets'));
  const opened = await done(opening);
  try {
    return await done(ask(opened.transaction('secrets', mode).objectStore('secrets')));
  } finally {
    opened.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
