import { getPrimaryFieldOfPrimaryKey } from 'rxdb';
import { z } from 'zod';

import type { Platform } from '#desktop/engine/journal/platform.ts';

/** One write, with RxDB's names. */
export interface StorageWrite {
  collection: string;
  context: string;
}

/** Storage that refuses writes while it is full. A write that would only be a conflict is reported as one. */
export function fillable(
  storage: Platform['storage'],
  isFull: (write: StorageWrite) => boolean,
): Platform['storage'] {
  return {
    ...storage,
    createStorageInstance: async (params) => {
      const instance = await storage.createStorageInstance(params);
      const write = instance.bulkWrite.bind(instance);
      instance.bulkWrite = async (rows, context) => {
        if (isFull({ collection: params.collectionName, context })) {
          const isNew = rows.every(({ previous }) => previous === undefined);
          const primary = getPrimaryFieldOfPrimaryKey(instance.schema.primaryKey);
          const ids = rows.map(({ document }) => z.string().parse(Reflect.get(document, primary)));
          const known = isNew ? await instance.findDocumentsById(ids, false) : [];
          if (known.length < rows.length)
            throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        }
        return write(rows, context);
      };
      return instance;
    },
  };
}
