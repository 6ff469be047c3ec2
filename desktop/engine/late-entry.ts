import { INTERNAL_STORAGE_NAME, type RxStorage, type RxStorageInstance } from 'rxdb';

import { isFullDisk } from './full-disk.ts';

/** Writes with which RxDB enters in a database that it is there, and its collections. */
const entering = ['internal-add-storage-token', 'rx-database-add-collection'];

type Storage = RxStorage<unknown, unknown>;
type Instance = RxStorageInstance<unknown, unknown, unknown>;

/**
 * The storage of one database, which opens on a full disk even where nothing of it is there yet. What a full disk does
 * not let RxDB enter then is entered before anything else is written: no record is stored of whose collection the
 * database does not know, since such a record would outlive the removal of the database.
 */
export function withLateEntry(storage: Storage): Storage {
  const owed: (() => Promise<unknown>)[] = [];
  let entered: Promise<void> = Promise.resolve();
  const enterOwed = async (): Promise<void> => {
    for (let next = owed[0]; next !== undefined; next = owed[0]) {
      await next();
      owed.shift();
    }
  };
  const enter = async (): Promise<void> => {
    if (owed.length === 0) return;
    entered = entered.catch(() => undefined).then(enterOwed);
    await entered;
  };
  const late = (instance: Instance): Pick<Instance, 'bulkWrite' | 'findDocumentsById'> => ({
    bulkWrite: async (rows, context) => {
      if (!entering.includes(context)) {
        await enter();
        return instance.bulkWrite(rows, context);
      }
      try {
        return await instance.bulkWrite(rows, context);
      } catch (error) {
        if (!isFullDisk(error)) throw error;
        // Where another tab is first, its entry stands, and this one is a conflict.
        owed.push(() => instance.bulkWrite(rows, context));
        return { error: [] };
      }
    },
    findDocumentsById: async (ids, withDeleted) => {
      // RxDB takes for granted that a collection is entered, and adds to its entry.
      if (instance.collectionName === INTERNAL_STORAGE_NAME) await enter();
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
