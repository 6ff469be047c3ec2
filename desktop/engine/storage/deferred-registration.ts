import { INTERNAL_STORAGE_NAME, type RxStorage, type RxStorageInstance } from 'rxdb';

import { isFullDisk } from '../platform/full-disk.ts';

/** Writes with which RxDB registers a database, and its collections in it. */
const registering = ['internal-add-storage-token', 'rx-database-add-collection'];

type Storage = RxStorage<unknown, unknown>;
type Instance = RxStorageInstance<unknown, unknown, unknown>;

/**
 * The storage of one database, which opens on a full disk even where nothing of it is there yet. What a full disk does
 * not let RxDB register then is registered before anything else is written: no record is stored whose collection the
 * database does not know, since such a record would outlive the removal of the database.
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
        // Where another tab is first, its registration stands, and this one is a conflict.
        owed.push(() => instance.bulkWrite(rows, context));
        return { error: [] };
      }
    },
    findDocumentsById: async (ids, withDeleted) => {
      // RxDB takes for granted that a collection is registered, and adds to its registration.
      if (instance.collectionName === INTERNAL_STORAGE_NAME) await register();
      return instance.findDocumentsById(ids, withDeleted);
    },
  });
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      // The storage's own calls of itself must not wait for what they are part of.
      return overlaid(instance, late(instance as unknown as Instance));
    },
  };
}

/** An object with some of its methods replaced for whoever has it from here; the object itself stays as it is. */
function overlaid<T extends object>(object: T, methods: object): T {
  return new Proxy(object, {
    get: (target, name): unknown => {
      const own: unknown = Reflect.get(methods, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return own === undefined && typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
