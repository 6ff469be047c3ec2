import { getRxStorageMemory, type RxStorageMemory } from 'rxdb/plugins/storage-memory';

import type { Platform } from '#desktop/engine/journal/platform.ts';

/** Where RxDB keeps a device's collections in a test; states of its own, so that devices in one process stay apart. */
export function memoryStorage(): MemoryStorage {
  return { ...getRxStorageMemory(), collectionStates: new Map() };
}

/** With the documents that it holds, by RxDB's name for each collection. */
export type MemoryStorage = Platform['storage'] & Pick<RxStorageMemory, 'collectionStates'>;
