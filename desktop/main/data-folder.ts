import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Refusal } from './refused-start.ts';

/**
 * Why the program cannot work with this folder for its data; null if it can.
 *
 * - ELECTRON-88 A start in a folder that cannot be made or written to (of another account, read-only) says so and ends.
 *   Without the folder, Electron cannot tell whether the program runs already, and would end without a word.
 */
export function dataFolderRefusal(folder: string): Refusal | null {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return { why: 'dataFolder', detail: error instanceof Error ? error.message : folder };
  }
}

/**
 * Whether another process has the lock of Electron in this folder, after Electron got none.
 *
 * - ELECTRON-91 The program also starts where Electron can make no lock because the folder for temporary files is full or
 *   missing: a full disk keeps nobody from their work. ELECTRON-90 then keeps a second process out.
 */
export function isLockedByAnother(folder: string, platform: NodeJS.Platform): boolean {
  // There, the lock needs no file.
  if (platform === 'win32') return true;
  return lstatSync(join(folder, 'SingletonLock'), { throwIfNoEntry: false }) !== undefined;
}
