import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';

/** For one account alone. */
const folderMode = 0o700;
const fileMode = 0o600;
/** The mode of a folder whose content is being closed; a start that finds it goes on with that. */
const unfinishedMode = 0o1700;
const allBits = 0o7777;
const bitsOfOthers = 0o077;

/** Its owner is the account of the server. */
const database = 'benchbook.sqlite';
/** The log tells its protection apart (`../identity`, IDENTITY-7), except where a whole folder is made private. */
const serverKey = 'server.key';

/** What was found, and done. `not-private`: the file system knows no modes. */
export type Privacy = 'was-private' | 'made-private' | 'not-private';

/** From now on files that this process makes are for its account alone. */
export function keepNewFilesPrivate(): void {
  process.umask(bitsOfOthers);
}

/**
 * Makes the data folder, or sees to it that only its account can read it: folders 0700, files 0600. What lies deeper is
 * looked at only when the folder itself was open, since nobody gets past a closed one, or when `whole` is asked for. On
 * Windows access lists count instead, and nothing is done. `uid`: the account that runs.
 * @throws BadSetting when the folder, a link to it or something in it belongs to another account
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
 * Refuses a data folder, or a link to it, that another account could exchange, and a database of another account: what
 * root writes, the account of the server could not read.
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

class Closing {
  readonly #uid: number;
  readonly #except: string | undefined;
  /** Folders that were seen: a link may lead back. */
  readonly #seen = new Set<string>();
  constructor(uid: number, except?: string) {
    this.#uid = uid;
    this.#except = except;
  }

  /** Another account could change what lies in its folder, and put another in its place. */
  mustBelongToUs(path: string, { uid }: Stats): void {
    if (uid === this.#uid || this.#uid === 0) return;
    throw new BadSetting(
      `${path} belongs to another account (user id ${uid}). Give it to the account that runs Benchbook, or name another folder with --data.`,
    );
  }

  /** Closes what lies in a folder; `below`: also what lies in its folders. */
  closeAll(folder: string, reach: 'beside' | 'below'): void {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const link = lstatSync(path, { throwIfNoEntry: false });
      const target = statSync(path, { throwIfNoEntry: false });
      // A temporary file that another process removed meanwhile, or a link to nowhere.
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

  /** Gives a file or folder its mode if others may use it. Whether they no longer may. */
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

  /** What root left there is read as before; what another account put there while it could is for a person to look at. */
  #mustNotBePlanted(path: string, stats: Stats): void {
    if (stats.uid !== 0) this.mustBelongToUs(path, stats);
  }
}
