/**
 * Folders of a restore next to the data folder, and what an interrupted restore left there.
 *
 * - RESTORE-5 A restore that is killed at its last step, between the renames of the two folders, is finished by the
 *   next start of the server, command or restore, which reports it. If there was no data folder before, a killed
 *   restore leaves a part of the backup next to it. Then nothing starts, so that no empty server takes its place, and
 *   the error message says what to do; only the restore can run again. While a restore is still running, nothing
 *   starts either, and the error message says to wait.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';

import { lockFolder } from './folder-lock.ts';

/** Name of the lock file in a folder that a restore copies into. */
const restoreLock = 'restore.lock';

/** The paths of the folders that a restore makes next to the data folder; neither exists yet. */
export function restoreFolders(dataDir: string, at: Date): { staged: string; kept: string } {
  const stamp = at.toISOString().slice(0, 19).replaceAll(':', '-');
  const staged = stagedBeside(dataDir, stamp);
  const kept = keptBeside(dataDir, stamp);
  if (!existsSync(staged) && !existsSync(kept)) return { staged, kept };
  return restoreFolders(dataDir, new Date(at.getTime() + 1000));
}

/** Makes the folder that a restore copies into, and locks it until disposal to show that the restore is running. */
export function beginStaged(staged: string): Disposable {
  mkdirSync(staged, { recursive: true, mode: 0o700 });
  const lock = lockFolder(staged, restoreLock);
  if (lock === null) throw new BadSetting(`Another restore is working in ${staged}. Wait until it is done.`);
  return {
    [Symbol.dispose]() {
      lock[Symbol.dispose]();
      rmSync(join(staged, restoreLock), { force: true });
    },
  };
}

/**
 * Finishes a restore that was killed after the data folder was moved aside and before the restored one took its place.
 * Otherwise the next start would make a new, empty server. Returns a sentence about what was done; null if nothing had
 * to be done.
 * @throws BadSetting if there is no data folder, and a restore has copied only a part of the backup
 */
export function finishRestore(dataDir: string): string | null {
  const finished = finishReady(dataDir);
  const part = partBeside(dataDir);
  if (part !== undefined)
    throw new BadSetting(
      `A restore was interrupted before ${dataDir} was in place. Run the restore again, and then delete ${part}. To begin with an empty server, delete that folder now.`,
    );
  return finished;
}

/**
 * `finishRestore` before another restore, which may run although a part of a backup was left.
 * @throws BadSetting if there is no data folder, and another restore is making one
 */
export function finishReady(dataDir: string): string | null {
  if (existsSync(dataDir)) return null;
  const stamps = stampsBeside(dataDir);
  if (stamps.some((stamp) => isLocked(stagedBeside(dataDir, stamp))))
    throw new BadSetting(`A restore is putting ${dataDir} in place. Wait until it is done.`);
  // If the previous folder was moved aside, the restored one is complete.
  const ready = stamps.findLast((stamp) => existsSync(keptBeside(dataDir, stamp)));
  if (ready === undefined) return null;
  renameSync(stagedBeside(dataDir, ready), dataDir);
  return `A restore was interrupted at its last step and is finished now: the backup is in place as ${dataDir}. What was there is kept in ${keptBeside(dataDir, ready)}; delete it when you no longer need it.`;
}

/** The incomplete folder of a restore, if there is no data folder. */
function partBeside(dataDir: string): string | undefined {
  const last = existsSync(dataDir) ? undefined : stampsBeside(dataDir).at(-1);
  return last === undefined ? undefined : stagedBeside(dataDir, last);
}

/** Stamps of the folders next to the data folder that restores have begun, oldest first. */
function stampsBeside(dataDir: string): string[] {
  const prefix = basename(stagedBeside(dataDir, ''));
  return namesIn(dirname(dataDir)).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}

/** Whether a restore is still copying into a folder. */
function isLocked(folder: string): boolean {
  if (!existsSync(join(folder, restoreLock))) return false;
  const lock = lockFolder(folder, restoreLock);
  lock?.[Symbol.dispose]();
  return lock === null;
}

/** The names in a folder; empty if it cannot be read. Opening it later reports the reason. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function stagedBeside(dataDir: string, stamp: string): string {
  return `${dataDir}.restoring-${stamp}`;
}

function keptBeside(dataDir: string, stamp: string): string {
  return `${dataDir}.replaced-${stamp}`;
}
