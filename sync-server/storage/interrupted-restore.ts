import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { BadSetting } from '#server/config.ts';

/** The folders that a restore makes beside the data folder. */
export function restoreFolders(dataDir: string, at: Date): { staged: string; kept: string } {
  const stamp = at.toISOString().slice(0, 19).replaceAll(':', '-');
  return { staged: `${dataDir}.restoring-${stamp}`, kept: `${dataDir}.replaced-${stamp}` };
}

/**
 * Finishes a restore that was killed after the data folder was moved aside and before the restored one took its place.
 * Returns what was done, in a sentence; null: nothing had to be done. Without it the next start would make a new, empty
 * server.
 * @throws BadSetting when there is no data folder, and beside it only the part of one that a restore began to copy
 */
export function finishRestore(dataDir: string): string | null {
  if (existsSync(dataDir)) return null;
  const prefix = `${basename(dataDir)}.restoring-`;
  const begun = namesIn(dirname(dataDir)).filter((name) => name.startsWith(prefix));
  const last = begun.at(-1);
  if (last === undefined) return null;
  // The data folder is moved aside only once all of the restored one is sound.
  const ready = begun.findLast((name) => existsSync(keptBeside(dataDir, name.slice(prefix.length))));
  if (ready === undefined)
    throw new BadSetting(
      `A restore was interrupted before ${dataDir} was in place. Run the restore again, and then delete ${join(dirname(dataDir), last)}. To begin with an empty server, delete that folder now.`,
    );
  renameSync(join(dirname(dataDir), ready), dataDir);
  const kept = keptBeside(dataDir, ready.slice(prefix.length));
  return `A restore was interrupted at its last step and is finished now: the backup is in place as ${dataDir}. What was there is kept in ${kept}; delete it when you no longer need it.`;
}

/** None where the folder is not there or cannot be read: whoever opens it says why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function keptBeside(dataDir: string, stamp: string): string {
  return `${dataDir}.replaced-${stamp}`;
}
