import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';

import type { Platform } from '#desktop/engine/platform.ts';

/** Where RxDB keeps a device's collections in a test; states of its own, so that devices in one process stay apart. */
export function memoryStorage(): Platform['storage'] {
  const storage = { ...getRxStorageMemory(), collectionStates: new Map() };
  return storage;
}
