import { existsSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';

import { makeBackupKey, noCipher, readCipher, type BackupCipher } from '#server/features/backup/cipher.ts';
import { postgresAt, sqliteOf } from '#server/features/backup/databases.ts';
import { makeBackup } from '#server/features/backup/make-backup.ts';
import { DamagedBackup, holdsBackups, Repository } from '#server/features/backup/repository.ts';
import { changeBackupState, readBackupState } from '#server/features/backup/state.ts';
import { unpackBackup } from '#server/features/backup/unpack.ts';
import { FolderTarget } from '#server/features/backup/target.ts';
import { sizeOf } from '#server/features/health/finding.ts';
import { BadSetting, programVersion } from '#server/platform/config.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import { mustOwnFolder } from '#server/storage/private-folder.ts';
import { isFullDisk } from '#server/storage/sqlite.ts';

import { FoundFaults, table, type Answer } from './answers.ts';
import { answerOfProof, prove } from './backup-proof.ts';
import { isThere, placeOf, print, type Place, type Runner } from './terminal.ts';

/** The default retention. */
const defaults = { days: 7, weeks: 4, months: 12 };

const backupNotes = `
DIR is a folder on another disk, or a network share. The first backup stores everything, later ones what is new.
The server may run meanwhile. After writing, everything new is read back and checked.

With --key everything is encrypted, and the backup also holds the key of the server. Make a key with
"benchbook backup-key FILE", and store a copy of it outside of the server: without it no backup can be read.

Examples:
  benchbook backup /mnt/backup
  benchbook backup /mnt/backup --key /etc/benchbook/backup.key --keep-days 14`;

const verifyNotes = `
Restores the newest backup (or the one named with --backup) into a scratch folder, and checks the database, every
file, the audit log and the number of rows. The server may run meanwhile. Ends with 1 where something is wrong.`;

interface KeyOption {
  key?: string;
}

interface BackupOptions extends KeyOption {
  keepDays: number;
  keepWeeks: number;
  keepMonths: number;
  begin?: boolean;
}

interface VerifyOptions extends KeyOption {
  backup?: string;
  scratch?: string;
}

/**
 * `benchbook backup`, `backups`, `backup-key`, `unpack-backup` and `verify`.
 *
 * - BACKUP-9 What cannot be done is refused with a message and changes nothing: no data, no backups, a folder that is in
 *   the data folder or contains it, another backup of the same data at this time, an unreadable key or list of backups.
 */
export function addBackupCommands(program: Command, { terminal }: Runner): void {
  const { env } = terminal;
  const keyText = 'key file of encrypted backups (or BENCHBOOK_BACKUP_KEY)';
  const folderText = 'folder of the backups (or BENCHBOOK_BACKUP)';
  program
    .command('backup')
    .description('Back up the data folder')
    .argument('[dir]', folderText)
    .option('--key <file>', keyText)
    .option('--keep-days <n>', 'keep the newest backup of each of so many days', count, defaults.days)
    .option('--keep-weeks <n>', 'and of so many weeks', count, defaults.weeks)
    .option('--keep-months <n>', 'and of so many months', count, defaults.months)
    .option(
      '--begin',
      'use a folder from which the earlier backups are gone, or with the backups of the server that this one replaces',
    )
    .addHelpText('after', backupNotes)
    .action(async (dir: string | undefined, options: BackupOptions, command: Command) => {
      const cipher = await cipherNamed(options, env);
      const from = placeOf(command, terminal);
      print(command, terminal, await backUp(from, folderOf(dir, env), cipher, options));
    });
  program
    .command('backups')
    .description('List the backups in a folder')
    .argument('[dir]', folderText)
    .option('--key <file>', keyText)
    .action(async (dir: string | undefined, options: KeyOption, command: Command) => {
      print(command, terminal, await list(await openRepository(dir, options, env)));
    });
  program
    .command('backup-key')
    .description('Make a key for encrypted backups')
    .argument('<file>', 'where to write it; the file must not exist')
    .action(async (file: string, _: unknown, command: Command) => {
      const path = resolve(file);
      const recipient = await makeBackupKey(path);
      print(command, terminal, {
        data: { file: path, publicKey: recipient },
        lines: [
          `The key is in ${path}. Store a copy of it outside of the server: without it no backup can be read.`,
        ],
      });
    });
  program
    .command('unpack-backup')
    .description('Write a backup into a new folder, exactly as it was')
    .argument('<dir>', 'folder of the backups')
    .argument('<folder>', 'folder to make')
    .option('--key <file>', keyText)
    .option('--backup <name>', 'another backup than the newest')
    .addHelpText(
      'after',
      '\nFor looking at a backup, and for going back to an older Benchbook. To go on with a backup use "benchbook restore",\nwhich also tells devices that the server has another state.',
    )
    .action(async (dir: string, folder: string, options: VerifyOptions, command: Command) => {
      const repository = await openRepository(dir, options, env);
      print(command, terminal, await unpack(repository, options, resolve(folder)));
    });
  program
    .command('verify')
    .description('Prove that the newest backup can be restored')
    .argument('[dir]', folderText)
    .option('--key <file>', keyText)
    .option('--backup <name>', 'another backup than the newest')
    .option('--scratch <dir>', 'where to restore the database; default: in the data folder')
    .addHelpText('after', verifyNotes)
    .action(async (dir: string | undefined, options: VerifyOptions, command: Command) => {
      const repository = await openRepository(dir, options, env);
      const name = await backupNamed(repository, options.backup);
      const proof = await prove(repository, name, options.scratch, placeOf(command, terminal));
      print(command, terminal, answerOfProof(proof));
      if (proof.findings.length > 0) throw new FoundFaults();
    });
}

function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Must be a number between 0 and 9999.');
  return Number(text);
}

function folderOf(dir: string | undefined, env: NodeJS.ProcessEnv): string {
  const folder = dir ?? (env['BENCHBOOK_BACKUP'] || undefined);
  if (folder === undefined)
    throw new BadSetting('Name the folder of the backups, such as "benchbook backup /mnt/backup".');
  return resolve(folder);
}

async function cipherNamed({ key }: KeyOption, env: NodeJS.ProcessEnv): Promise<BackupCipher> {
  const file = key ?? (env['BENCHBOOK_BACKUP_KEY'] || undefined);
  return file === undefined ? noCipher : readCipher(resolve(file));
}

/** Opens the backups that a command line names. @throws BadSetting */
export async function openRepository(
  dir: string | undefined,
  options: KeyOption,
  env: NodeJS.ProcessEnv,
): Promise<Repository> {
  const target = await FolderTarget.open(folderOf(dir, env), { make: false });
  return Repository.open(target, await cipherNamed(options, env), { make: false });
}

/**
 * Makes a backup and notes its result.
 *
 * - BACKUP-15 If a folder that had backups is empty or not mounted, `backup` says so, and does not start a second set of
 *   backups there unless it is told to.
 */
async function backUp(
  from: Place,
  folder: string,
  cipher: BackupCipher,
  options: BackupOptions,
): Promise<Answer> {
  const { dataDir } = from;
  if (!isThere(from))
    throw new BadSetting(`There is no Benchbook data in ${dataDir}. Name its folder with --data.`);
  mustOwnFolder(dataDir);
  try {
    return await backUpTo(from, folder, cipher, options);
  } catch (cause) {
    const message = isFullDisk(cause)
      ? `The disk of ${folder}, or that of ${dataDir}, is full.`
      : sentence(cause, `The backup to ${folder} failed`);
    // oxlint-disable-next-line no-restricted-properties -- the clock of a command
    const failedBackup = { at: Date.now(), name: null, findings: [message] };
    // The disk of the data folder may be full.
    await changeBackupState(dataDir, { failedBackup }).catch(() => undefined);
    throw new BadSetting(message, { cause });
  }
}

async function backUpTo(
  { dataDir, url }: Place,
  folder: string,
  cipher: BackupCipher,
  { begin = false, keepDays, keepWeeks, keepMonths }: BackupOptions,
): Promise<Answer> {
  mustBeApart(dataDir, folder);
  using lock = lockFolder(dataDir, 'backup.lock');
  if (lock === null) throw new BadSetting(`Another backup of ${dataDir} is running.`);
  const { lastProof, targets } = await readBackupState(dataDir);
  if (!begin && targets.includes(folder) && !holdsBackups(folder))
    throw new BadSetting(
      `The earlier backups in ${folder} are gone. Is the disk mounted? To begin again in this folder, add --begin.`,
    );
  const target = await FolderTarget.open(folder, { make: true });
  const report = await makeBackup({
    dataDir,
    database: url === undefined ? sqliteOf(dataDir) : postgresAt(url),
    isDoubtful: lastProof !== null && lastProof.findings.length > 0,
    repository: await Repository.open(target, cipher, { make: true }),
    takeOver: begin,
    retention: { days: keepDays, weeks: keepWeeks, months: keepMonths },
    program: programVersion,
    // oxlint-disable-next-line no-restricted-properties -- the clock of a command
    now: Date.now,
  });
  const { name, madeAt, files, bytes, newBytes, missing, removed } = report;
  const findings = missing.map((path) => `${path} is missing or damaged in the data folder.`);
  await changeBackupState(dataDir, {
    lastBackup: { at: madeAt, name, findings, files, bytes },
    failedBackup: null,
    targets: [...new Set([...targets, folder])],
  });
  return {
    data: report,
    lines: [
      `Backup ${name}: ${files} files and the database, ${sizeOf(bytes)}, of which ${sizeOf(newBytes)} were new.`,
      ...(removed.length > 0
        ? [`Removed ${removed.length} older ${removed.length === 1 ? 'backup' : 'backups'}.`]
        : []),
      ...findings,
    ],
  };
}

/** A backup in its own data folder would be lost with it. */
function mustBeApart(dataDir: string, folder: string): void {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));
  const isInside = (one: string, other: string): boolean =>
    !relative(real(other), real(one)).startsWith('..');
  if (isInside(folder, dataDir) || isInside(dataDir, folder))
    throw new BadSetting(
      'The backups and the data folder must not lie within each other. Name another folder.',
    );
}

async function list(repository: Repository): Promise<Answer> {
  const found: { name: string; site: string; program: string; files: number; bytes: number }[] = [];
  const damaged: string[] = [];
  for (const name of await repository.names())
    try {
      const { site, program, files, database } = await repository.manifest(name);
      const bytes = files.reduce((sum, file) => sum + file.size, database.size);
      found.push({ name, site, program, files: files.length, bytes });
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push(error.message);
    }
  const rows = found.map(({ name, site, program, files, bytes }) => [
    name,
    site,
    program,
    `${files} files`,
    sizeOf(bytes),
  ]);
  return {
    data: { backups: found, damaged },
    lines:
      found.length === 0 && damaged.length === 0
        ? ['There are no backups yet.']
        : [...table(rows), ...damaged],
  };
}

async function unpack(repository: Repository, { backup }: VerifyOptions, folder: string): Promise<Answer> {
  const name = await backupNamed(repository, backup);
  if (existsSync(folder))
    throw new BadSetting(`${folder} exists already. Name a folder that does not exist.`);
  const manifest = await repository.manifest(name);
  await mkdir(folder, { mode: 0o700 });
  try {
    await unpackBackup(repository, manifest, folder);
  } catch (cause) {
    await rm(folder, { recursive: true });
    throw new BadSetting(sentence(cause, 'The backup cannot be unpacked'), { cause });
  }
  return { data: { name, folder }, lines: [`The backup ${name} is in ${folder}.`] };
}

/** The name of the wanted backup, or of the newest one. @throws BadSetting if it does not exist */
export async function backupNamed(repository: Repository, wanted: string | undefined): Promise<string> {
  const names = await repository.names();
  const name = wanted ?? names.at(-1);
  if (name === undefined) throw new BadSetting(`There are no backups in ${repository.target.label}.`);
  if (!names.includes(name))
    throw new BadSetting(
      `There is no backup ${name} in ${repository.target.label}. "benchbook backups" lists them.`,
    );
  return name;
}

function sentence(cause: unknown, begin: string): string {
  if (cause instanceof BadSetting || cause instanceof DamagedBackup) return cause.message;
  return `${begin}: ${cause instanceof Error ? cause.message : String(cause)}.`;
}
