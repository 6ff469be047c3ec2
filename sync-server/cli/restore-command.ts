import { existsSync, renameSync, rmSync, statSync, constants } from 'node:fs';
import { copyFile, cp, readdir, rm } from 'node:fs/promises';
import { constants as systemConstants } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import type { Command } from 'commander';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import { noteEnd } from '#server/features/audit/guard.ts';
import { BadSetting, shownDatabase } from '#server/platform/config.ts';
import { randomPool } from '#server/platform/random.ts';
import { hasServerKey, keyFileName } from '#server/core/identity/server-key.ts';
import { openServices } from '#server/features/open-services.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { lockFile, lockFolder } from '#server/storage/folder-lock.ts';
import { isFullDisk } from '#server/storage/sqlite.ts';
import { beginStaged, finishReady, restoreFolders } from '#server/storage/interrupted-restore.ts';
import { leap } from '#server/storage/leap.ts';
import { copySite, settle } from '#server/storage/move/move-site.ts';
import { PostgresSite } from '#server/storage/move/postgres-site.ts';
import type { Move } from '#server/storage/move/marks.ts';
import type { HeldSite } from '#server/storage/move/site.ts';
import { SqliteSite } from '#server/storage/move/sqlite-site.ts';
import { keepFolderPrivate, mustOwnFolder } from '#server/storage/private-folder.ts';
import { oldestCodeFor, schemaVersion } from '#server/storage/migrations/index.ts';

import { DamagedBackup, holdsBackups } from '#server/features/backup/repository.ts';
import { unpackBackup } from '#server/features/backup/unpack.ts';

import type { Answer } from './answers.ts';
import { backupNamed, openRepository } from './backup-commands.ts';
import { refusedByDatabase } from './database-refusals.ts';
import { refusedFile } from './files.ts';
import { actingAs, databaseNamed, folderNamed, print, type Runner } from './terminal.ts';

const notes = `
FOLDER holds the backups that "benchbook backup" made, or is a copy of a data folder. Stop the server first. What the
data folder held is kept beside it.
Devices notice what the backup lacks and offer it again. Everything that is made from now on gets numbers
that were never given out, so that nothing is taken for something else.

With --copy the data folder becomes a server of its own, for trying things out: it gets another key, and devices
keep what they have not sent yet to the server that they know.

Examples:
  benchbook restore /mnt/backup --data /var/lib/benchbook/data
  benchbook restore /mnt/backup --backup 2026-11-20T03-00-00Z --key /etc/benchbook/backup.key
  benchbook restore /mnt/backup --data /srv/staging --copy`;

/** What is restored. */
interface Source {
  /** What messages call it. */
  label: string;
  /** Its folder. */
  folder: string;
  /** Writes the data folder that it holds into an empty folder. */
  fill(folder: string): Promise<void>;
}

interface Restoring {
  from: Source;
  /** The data folder that is replaced. */
  to: string;
  isCopy: boolean;
  /** The empty PostgreSQL database that gets the database of the backup; null: SQLite. */
  database: PostgresSite | null;
  action: string;
  now: Date;
}

interface RestoreOptions {
  backup?: string;
  key?: string;
  copy?: boolean;
}

/**
 * `benchbook restore FOLDER --data DIR` puts a backup, or a copied data folder, in the place of the data folder.
 *
 * - RESTORE-1 Afterwards the data folder has the content of the backup. Its previous content is in `DIR.replaced-…`.
 * - RESTORE-2 It refuses a folder without a database, a damaged database, one of a newer Benchbook, and a data folder
 *   on which a server runs. Then, and if it is killed before all of the backup is ready next to the data folder, the
 *   data folder is unchanged. A signal that ends it also removes the copy. If the disk has no room for the copy, the message says so and what to do.
 * - RESTORE-4 The server keeps its key, also if the backup has none. With `--copy` it gets another: to devices it is
 *   another server.
 * - RESTORE-6 With `--database` the database of the backup goes into an empty PostgreSQL database, whichever it came
 *   from, and the files into the data folder. If this is interrupted, no server starts before it was run again.
 */
export function addRestoreCommand(program: Command, { terminal }: Runner): void {
  program
    .command('restore')
    .description('Put a backup in the place of the data folder')
    .argument('<folder>', 'folder of backups, or a copied data folder')
    .option('--backup <name>', 'another backup than the newest; "benchbook backups" lists them')
    .option('--key <file>', 'key file of encrypted backups (or BENCHBOOK_BACKUP_KEY)')
    .option('--copy', 'make it a server of its own: a staging site')
    .addHelpText('after', notes)
    .action(async (folder: string, options: RestoreOptions, command: Command) => {
      const to = folderNamed(command, terminal);
      const action = 'benchbook restore';
      const finished = finishReady(to);
      if (finished !== null) terminal.err(finished);
      const answer = await restore({
        from: await sourceOf(resolve(folder), options, terminal.env),
        to,
        isCopy: options.copy === true,
        database: databaseOf(databaseNamed(command, terminal)),
        action,
        now: new Date(),
      });
      print(command, terminal, answer);
    });
}

/** What a folder holds: a copied data folder, or backups. @throws BadSetting */
async function sourceOf(folder: string, options: RestoreOptions, env: NodeJS.ProcessEnv): Promise<Source> {
  if (existsSync(join(folder, databaseName))) return copiedFolder(folder);
  if (!holdsBackups(folder))
    throw new BadSetting(
      `There is no Benchbook data in ${folder}. Name a folder of backups, or a copy of a data folder.`,
    );
  const repository = await openRepository(folder, options, env);
  const name = await backupNamed(repository, options.backup);
  const label = `${folder} (backup ${name})`;
  return {
    label,
    folder,
    fill: async (staged) => {
      try {
        const manifest = await repository.manifest(name);
        mustNotBeNewer(label, manifest.oldestSchema, manifest.schema);
        await unpackBackup(repository, manifest, staged);
      } catch (error) {
        if (!(error instanceof DamagedBackup)) throw error;
        throw new BadSetting(`${error.message} Nothing was changed. Restore another backup with --backup.`, {
          cause: error,
        });
      }
    },
  };
}

function copiedFolder(folder: string): Source {
  return {
    label: folder,
    folder,
    fill: async (staged) => {
      const options = { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true };
      const isWanted = (path: string): boolean => relative(folder, path) !== lockFile;
      await cp(folder, staged, { ...options, filter: isWanted }).catch(refusedFile(folder, 'copied'));
    },
  };
}

/**
 * Puts a backup in place. The data folder is unchanged until the copy is complete and checked (RESTORE-2).
 */
async function restore(restoring: Restoring): Promise<Answer> {
  const { from, to, isCopy, now } = restoring;
  mustBeApart(from.folder, to);
  const { database } = restoring;
  if (database !== null) await database.mustBeFree(noteOf(restoring, database)).catch(refusedByDatabase);
  const { staged, kept } = restoreFolders(to, now);
  const isThere = existsSync(to);
  if (isThere) mustOwnFolder(to);
  if (isThere && statSync(to).dev !== statSync(dirname(to)).dev)
    throw new BadSetting(
      `${to} is a mount point, which cannot be replaced. Use a folder in it as the data folder, such as ${join(to, 'data')}.`,
    );
  using _lock = isThere ? locked(restoring) : undefined;
  let hasKey = false;
  const wasEmpty = isThere && (await readdir(to)).every((name) => name === lockFile);
  try {
    using _stopping = removedAtSignal(staged);
    using _running = begun(staged, from.label);
    await from.fill(staged);
    keepFolderPrivate(staged, { whole: true });
    if (!isCopy && !hasServerKey(staged) && hasServerKey(to))
      await copyFile(join(to, keyFileName), join(staged, keyFileName));
    assertValid(staged, from.label);
    await begin(staged, restoring);
    hasKey = hasServerKey(staged);
    if (database !== null) await moveInto(database, staged, restoring);
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    throw isFullDisk(error) ? noRoom(restoring, error) : error;
  }
  // An older version may have left it readable for others.
  if (isThere) keepFolderPrivate(to, { whole: true });
  if (isThere) renameSync(to, kept);
  renameSync(staged, to);
  if (wasEmpty) await rm(kept, { recursive: true });
  if (database !== null) await settle(database);
  return answerOf(restoring, isThere && !wasEmpty ? kept : null, hasKey);
}

function databaseOf(url: string | undefined): PostgresSite | null {
  return url === undefined ? null : new PostgresSite(url, shownDatabase(url), randomPool());
}

/** Fills a PostgreSQL database with that of the folder, which is removed there, with the key of the server. */
async function moveInto(database: PostgresSite, staged: string, restoring: Restoring): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- the clock of a command
  const source = new SqliteSite(staged, randomPool(), Date.now);
  const fill = (held: HeldSite) =>
    database.fill(noteOf(restoring, database), (filled) => copySite(held, filled));
  await source.hold(fill).catch(refusedByDatabase);
  for (const suffix of ['', '-wal', '-shm']) await rm(join(staged, databaseName + suffix), { force: true });
  await rm(join(staged, keyFileName), { force: true });
}

function noteOf({ from, now }: Restoring, database: PostgresSite): Move {
  return { id: '', from: from.label, to: database.label, at: now.getTime(), by: 'restore' };
}

/**
 * Removes a folder if a signal ends the process, until disposal. The renames that put the folder in place follow each
 * other without a pause, so no signal is handled between them.
 */
function removedAtSignal(folder: string): Disposable {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (signal: (typeof signals)[number]): void => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(128 + systemConstants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, stop);
  return {
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}

/** Makes the folder to copy into. @throws BadSetting if that is not possible */
function begun(staged: string, from: string): Disposable {
  try {
    return beginStaged(staged);
  } catch (error) {
    return refusedFile(from, 'copied')(error);
  }
}

/** Locks the data folder against servers. */
function locked(restoring: Restoring): Disposable {
  try {
    const lock = lockFolder(restoring.to);
    if (lock === null) throw new BadSetting(`A server is running on ${restoring.to}. Stop it first.`);
    return lock;
  } catch (error) {
    throw isFullDisk(error) ? noRoom(restoring, error) : error;
  }
}

function noRoom({ from, to }: Restoring, cause: unknown): BadSetting {
  return new BadSetting(
    `There is no room for a copy of ${from.label} on the disk of ${to}. Nothing was changed. Make room there, then run the restore again.`,
    { cause },
  );
}

function mustBeApart(from: string, to: string): void {
  const inside = (one: string, other: string): boolean => !relative(other, one).startsWith('..');
  if (inside(from, to) || inside(to, from))
    throw new BadSetting('The copy and the data folder must not lie within each other.');
}

/** Checks the database before anything in it is changed. */
function assertValid(staged: string, from: string): void {
  const database = new BetterSqlite3(join(staged, databaseName));
  try {
    // Without a shared memory file: on a full disk it could not be made, which would look like damage.
    database.pragma('locking_mode = EXCLUSIVE');
    const { oldest, version } = oldestCodeFor(database);
    mustNotBeNewer(from, oldest, version);
    const result = database.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') throw new BadSetting(`The database in ${from} is damaged. Use another backup.`);
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError) || isFullDisk(error)) throw error;
    throw new BadSetting(`The database in ${from} is damaged. Use another backup.`, { cause: error });
  } finally {
    database.close();
  }
}

function mustNotBeNewer(from: string, oldest: number, version: number): void {
  if (oldest > schemaVersion)
    throw new BadSetting(
      `${from} was written by a newer Benchbook (schema ${version}); this one knows schema ${schemaVersion}. Update Benchbook first.`,
    );
}

/** The last seq that the database in a data folder has given out; 0 if none can be read: devices name it later. */
function lastSeqIn(dataDir: string): number {
  const path = join(dataDir, databaseName);
  if (!existsSync(path)) return 0;
  try {
    const database = new BetterSqlite3(path, { readonly: true });
    try {
      const seq = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'feed'").pluck().get();
      return typeof seq === 'number' ? seq : 0;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) return 0;
    throw error;
  }
}

/** Prepares the restored database: an id leap, and with `--copy` another key. */
async function begin(dataDir: string, { from, to, isCopy, action }: Restoring): Promise<void> {
  const services = await openServices({ dataDir, acting: actingAs(action) });
  try {
    await services.storage.write(ownOrigin(services), async (tx, note) => {
      await leap(tx, lastSeqIn(to));
      note.outcome = 'done';
      note.object = { kind: 'database', id: '' };
      note.facts = { from: from.label, copy: isCopy };
    });
    if (isCopy) await services.identity.replaceKey();
    await noteEnd(services);
    services.storage.checkpoint();
  } finally {
    await services.storage[Symbol.asyncDispose]();
  }
}

function answerOf({ from, to, isCopy, database }: Restoring, kept: string | null, hasKey: boolean): Answer {
  return {
    data: {
      from: from.label,
      to,
      ...(database === null ? {} : { database: database.label }),
      copy: isCopy,
      kept,
    },
    lines: [
      isCopy
        ? `${to} is a server of its own now, made from ${from.label}.`
        : `${from.label} is in place as ${to}.`,
      ...(database === null ? [] : [`Its database is in ${database.label}.`]),
      ...(kept === null ? [] : [`What was there is kept in ${kept}; delete it when you no longer need it.`]),
      isCopy
        ? 'Devices that sign in there keep what waits for the other server to themselves.'
        : 'Start the server. Devices offer again what the backup lacks, as they come.',
      ...(hasKey
        ? []
        : [
            `The backup is not encrypted and does not hold the key of the server. Put server.key into ${to} before you start it; without the key devices take it for another server.`,
          ]),
    ],
  };
}
