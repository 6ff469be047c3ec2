import type { SecretStore } from '../platform/ports.ts';
import { removeDatabases, type BucketPlaces } from '../platform/storage-buckets.ts';

/** A database that holds secrets. */
interface SecretDatabase {
  indexedDB: IDBFactory;
  name: string;
}

/**
 * Secrets of a browser, which has no better place for them than a store of this origin. Each lies in a database of its
 * own, and a token (`token-…`) in a place of its own where the browser has places: what is deleted in the common storage
 * stays in its files for a time that nobody can choose, and a place goes with its files (leaving README, LEAVING-7).
 *
 * @param prefix Begins the names of all databases and places.
 */
export function databaseSecrets(prefix: string, places: BucketPlaces | undefined): SecretStore {
  const nameOf = (key: string): string => `${prefix}-secret-${key}`;
  /** Where earlier versions kept all secrets together. */
  const together: SecretDatabase = { indexedDB, name: `${prefix}-secrets` };
  const common = (key: string): SecretDatabase => ({ indexedDB, name: nameOf(key) });
  const ownPlace = (key: string): BucketPlaces | undefined => (key.startsWith('token-') ? places : undefined);
  const inPlace = async (own: BucketPlaces, key: string): Promise<SecretDatabase> => ({
    indexedDB: await own.openIndexedDB(nameOf(key)),
    name: 'secret',
  });
  /** From the latest version's to the earliest's. */
  const whereRead = async (key: string): Promise<SecretDatabase[]> => {
    const own = ownPlace(key);
    // Opening a place makes it.
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
    // The earliest first: without a later one they would count again.
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

async function inStore<T>(
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
