import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';

/** Modes that exclude other accounts. */
const folderMode = 0o700;
const fileMode = 0o600;
/** Mode of a folder whose content is being made private. A start that finds it continues. */
const unfinishedMode = 0o1700;
const allBits = 0o7777;
const bitsOfOthers = 0o077;

/** The file whose owner is the account of the server. */
const database = 'benchbook.sqlite';
/** It is protected and reported separately (IDENTITY-7), except when a whole folder is made private. */
const serverKey = 'server.key';

/** What was found and done. `not-private`: the file system does not support modes. */
export type Privacy = 'was-private' | 'made-private' | 'not-private';

/** Makes new files of this process private to its account. */
export function keepNewFilesPrivate(): void {
  process.umask(bitsOfOthers);
}

/**
 * Makes the data folder, or makes an existing one private: folders 0700, files 0600. Subfolders are checked only if
 * the folder itself was open to others, because a private folder protects its content, or if `whole` is set. On
 * Windows access lists count instead, and nothing is done. `uid`: the account of the process.
 * @throws BadSetting if the folder, a link to it or something in it belongs to another account
 */
export function keepFolderPrivate(
  dir: string,
  { uid = process.getuid?.(), whole = false }: { uid?: number | undefined; whole?: boolean } = {},
): Privacy {
  mkdirSync(dir, { recursive: true, mode: folderMode });
  if (uid === undefined) return 'was-private';
  mustOwnFolder(dir, uid);
  const closing = new Closing(uid, whole ? undefined : serverKey);
  const found = statSync(dir);
  if (!whole && (found.mode & allBits) === folderMode) {
    closing.closeAll(dir, 'beside');
    return 'was-private';
  }
  if (!closing.close(dir, found, unfinishedMode)) return 'not-private';
  closing.closeAll(dir, 'below');
  chmodSync(dir, folderMode);
  return 'made-private';
}

/**
 * Refuses a data folder, or a link to it, that another account could replace. Also refuses a database of another
 * account: the account of the server could not read what root writes to it.
 * @throws BadSetting
 */
export function mustOwnFolder(dir: string, uid = process.getuid?.()): void {
  if (uid === undefined) return;
  const closing = new Closing(uid);
  for (const found of [lstatSync(dir), statSync(dir)])
    if (!found.isSymbolicLink() || found.uid !== 0) closing.mustBelongToUs(dir, found);
  const owner = statSync(join(dir, database), { throwIfNoEntry: false })?.uid;
  if (owner === undefined || owner === uid) return;
  throw new BadSetting(
    `The database in ${dir} belongs to another account (user id ${owner}). Run Benchbook as that account, such as with "sudo -u '#${owner}'".`,
  );
}

/** Makes files and folders private, and refuses those of other accounts. */
class Closing {
  readonly #uid: number;
  readonly #except: string | undefined;
  /** Visited folders, because links can form cycles. */
  readonly #seen = new Set<string>();
  constructor(uid: number, except?: string) {
    this.#uid = uid;
    this.#except = except;
  }

  /** @throws BadSetting if a path belongs to another account, which could change or replace it */
  mustBelongToUs(path: string, { uid }: Stats): void {
    if (uid === this.#uid || this.#uid === 0) return;
    throw new BadSetting(
      `${path} belongs to another account (user id ${uid}). Give it to the account that runs Benchbook, or name another folder with --data.`,
    );
  }

  /** Makes the content of a folder private; `below`: including subfolders. */
  closeAll(folder: string, reach: 'beside' | 'below'): void {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const link = lstatSync(path, { throwIfNoEntry: false });
      const target = statSync(path, { throwIfNoEntry: false });
      // A temporary file that another process removed meanwhile, or a dangling link.
      if (link === undefined || target === undefined || name === this.#except) continue;
      if (reach === 'below') for (const one of [link, target]) this.#mustNotBePlanted(path, one);
      const isFolder = target.isDirectory();
      this.close(path, target, isFolder ? folderMode : fileMode);
      const place = `${target.dev}:${target.ino}`;
      if (!isFolder || reach === 'beside' || this.#seen.has(place)) continue;
      this.#seen.add(place);
      this.closeAll(path, 'below');
    }
  }

  /** Sets the mode of a file or folder if others have access. Returns whether it is private now. */
  close(path: string, { mode }: Stats, wanted: number): boolean {
    if ((mode & bitsOfOthers) === 0 && wanted !== unfinishedMode) return true;
    try {
      chmodSync(path, wanted);
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
    const now = statSync(path, { throwIfNoEntry: false });
    return now === undefined || (now.mode & bitsOfOthers) === 0;
  }

  /**
   * Accepts files of root. Files that another account planted while the folder was open must be checked by a person.
   */
  #mustNotBePlanted(path: string, stats: Stats): void {
    if (stats.uid !== 0) this.mustBelongToUs(path, stats);
  }
}
