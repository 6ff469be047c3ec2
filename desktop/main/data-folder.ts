import { accessSync, constants, mkdirSync } from 'node:fs';

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
    return {
      title: 'Benchbook cannot write to the folder of its data',
      detail: error instanceof Error ? error.message : folder,
      hint: 'Nothing was changed. Give your account the right to write to this folder, and start Benchbook again.',
    };
  }
}
