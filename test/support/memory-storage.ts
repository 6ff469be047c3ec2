import { getRxStorageMemory, type RxStorageMemory } from 'rxdb/plugins/storage-memory';

import type { Platform } from '#desktop/engine/journal/platform.ts';

/** RxDB storage in memory for a test. It has its own state, so that devices in one process stay apart. */
export function memoryStorage(): MemoryStorage {
  return { ...getRxStorageMemory(), collectionStates: new Map() };
}

/** With its documents, by RxDB's name for each collection. */
export type MemoryStorage = Platform['storage'] & Pick<RxStorageMemory, 'collectionStates'>;
