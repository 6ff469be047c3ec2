import { INTERNAL_STORAGE_NAME, type RxStorage, type RxStorageInstance } from 'rxdb';

import { isFullDisk } from '../platform/full-disk.ts';
import { overlaid } from '../platform/overlaid.ts';

/** Contexts of the writes by which RxDB registers a database and its collections. */
const registering = ['internal-add-storage-token', 'rx-database-add-collection'];

type Storage = RxStorage<unknown, unknown>;
type Instance = RxStorageInstance<unknown, unknown, unknown>;

/**
 * Wraps the storage of one database so that a new database can be opened on a full disk. Registrations that fail because
 * the disk is full are repeated before anything else is written. No record is stored in a collection that is not
 * registered, because the removal of the database would miss it.
 */
export function withDeferredRegistration(storage: Storage): Storage {
  const owed: (() => Promise<unknown>)[] = [];
  let registered: Promise<void> = Promise.resolve();
  const registerOwed = async (): Promise<void> => {
    for (let next = owed[0]; next !== undefined; next = owed[0]) {
      await next();
      owed.shift();
    }
  };
  const register = async (): Promise<void> => {
    if (owed.length === 0) return;
    registered = registered.catch(() => undefined).then(registerOwed);
    await registered;
  };
  const late = (instance: Instance): Pick<Instance, 'bulkWrite' | 'findDocumentsById'> => ({
    bulkWrite: async (rows, context) => {
      if (!registering.includes(context)) {
        await register();
        return instance.bulkWrite(rows, context);
      }
      try {
        return await instance.bulkWrite(rows, context);
      } catch (error) {
        if (!isFullDisk(error)) throw error;
        // If another tab registers first, the repeated write is a conflict and has no effect.
        owed.push(() => instance.bulkWrite(rows, context));
        return { error: [] };
      }
    },
    findDocumentsById: async (ids, withDeleted) => {
      // RxDB reads the registration of a collection to extend it, and expects to find it.
      if (instance.collectionName === INTERNAL_STORAGE_NAME) await register();
      return instance.findDocumentsById(ids, withDeleted);
    },
  });
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      // Calls that the instance makes on itself stay unwrapped: they would wait for the write that they are part of.
      return overlaid(instance, late(instance as unknown as Instance));
    },
  };
}
