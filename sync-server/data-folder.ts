import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { anchorFiles } from './features/audit/anchors.ts';
import { BadSetting, shownDatabase } from './platform/config.ts';
import { lockFolder } from './storage/folder-lock.ts';

/** A file that exists in the data folder while the demo content is being added. */
const unfinishedDemo = 'demo-unfinished';

/** Makes the data folder if there is none. @throws BadSetting if it cannot be written to */
export function requireWritable(dir: string): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new BadSetting(`The data folder ${dir} cannot be written to; name another one with --data.`, {
      cause,
    });
  }
}

/**
 * Makes a folder and its parents one by one: the recursive mode of Node never ends where no folder can be made
 * (`/proc`).
 */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  mkdirSync(dir, { mode: 0o700 });
}

/**
 * Locks the data folder. Two servers on one folder would not notice each other's writes.
 *
 * - START-4 A second server on a data folder is refused. The folder is free again if the first one is killed.
 */
export function lockData(dir: string): Disposable {
  const lock = lockFolder(dir);
  if (lock !== null) return lock;
  throw new BadSetting(
    `Another Benchbook server works in the data folder ${dir}; stop it, or name another folder with --data.`,
  );
}

/**
 * Deletes an incomplete demo: a start that was stopped while it filled an empty database left a part of it, and no
 * account with a known password. The server had not listened yet, so the folder contains nothing else. A PostgreSQL
 * database (`database`) is not emptied here: whoever made it decides that. @throws BadSetting
 */
export function clearUnfinishedDemo(dir: string, database: string | undefined): void {
  if (!existsSync(join(dir, unfinishedDemo))) return;
  if (database !== undefined)
    throw new BadSetting(
      `A start was stopped while it filled ${shownDatabase(database)} with the demo content. Make the database anew, and delete ${join(dir, unfinishedDemo)}.`,
    );
  const files = ['benchbook.sqlite', 'benchbook.sqlite-wal', 'benchbook.sqlite-shm'];
  for (const name of [...files, 'media', ...Object.values(anchorFiles)])
    rmSync(join(dir, name), { recursive: true, force: true });
  rmSync(join(dir, unfinishedDemo));
}

/** Runs `fill`, which adds the demo content. If it is stopped before it ends, `clearUnfinishedDemo` removes its rest. */
export async function fillWithDemo(dir: string, fill: () => Promise<unknown>): Promise<void> {
  writeFileSync(join(dir, unfinishedDemo), '');
  await fill();
  rmSync(join(dir, unfinishedDemo));
}
