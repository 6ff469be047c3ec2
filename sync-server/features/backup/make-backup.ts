import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { dataFiles, type DataFile } from './data-files.ts';
import type { BackedUpFile, Manifest } from './manifest.ts';
import { DamagedBackup, type Repository } from './repository.ts';
import { backupName, backupsToRemove, type Retention } from './retention.ts';
import { copyDatabase, type SnapshotFacts } from './snapshot.ts';

/** Folder in the data folder for the copy of the database, until it is stored. */
const scratchName = 'backup.tmp';
/** Left free on the disk of the data folder, bytes: the server goes on working there. */
const reserveBytes = 256 * 1024 ** 2;
/** A file that changes while it is read is read again this many times. */
const tries = 3;

/** What a backup did. */
export interface BackupReport {
  name: string;
  /** UNIX milliseconds. */
  madeAt: number;
  files: number;
  /** Bytes that the backup holds, and of those, bytes that were new in the target. */
  bytes: number;
  newBytes: number;
  /** Files of the data folder that are damaged or missing, which the backup lacks. The rest of it is complete. */
  missing: string[];
  /** Older backups that were removed. */
  removed: string[];
}

interface Options {
  dataDir: string;
  repository: Repository;
  retention: Retention;
  /** Version of the program. */
  program: string;
  now: () => number;
}

/**
 * Backs up a data folder, also while a server works on it. What the backup holds is of one moment: files of the data
 * folder never change under their name, so it is enough that all files which the copied database names are stored.
 * @throws BadSetting where another backup is running, or there is no room
 */
export async function makeBackup(options: Options): Promise<BackupReport> {
  const { repository, retention } = options;
  using lock = await repository.target.lock();
  if (lock === null) throw new BadSetting(`Another backup to ${repository.target.label} is running.`);
  const storing = new Storing(options, await repository.objects(), await knownFiles(repository));
  // The anchors first: they must not tell of rows of the audit log that the copied database does not have.
  const before = await storing.store();
  const { database, facts } = await storing.storeDatabase();
  const files = merged(before, await storing.store());
  const madeAt = options.now();
  const manifest: Manifest = {
    format: 1,
    madeAt,
    program: options.program,
    schema: facts.schema,
    oldestSchema: facts.oldestSchema,
    site: facts.site,
    database,
    files,
    counts: facts.counts,
  };
  const name = freeName(madeAt, await repository.names());
  await storing.readBack();
  await repository.saveManifest(name, manifest);
  await repository.manifest(name);
  const removed = backupsToRemove(await repository.names(), retention, madeAt);
  for (const one of removed) await repository.removeManifest(one);
  if (removed.length > 0) await removeUnused(repository);
  return {
    name,
    madeAt,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, database.size),
    newBytes: storing.newBytes,
    missing: missingOf(facts, files),
    removed,
  };
}

/** The name of a backup made at `at`; of two within a second, the later one counts as made a second later. */
function freeName(at: number, names: readonly string[]): string {
  const name = backupName(at);
  return names.includes(name) ? freeName(at + 1000, names) : name;
}

/** Stores what the target lacks of a data folder. */
class Storing {
  newBytes = 0;
  readonly #options: Options;
  /** Names of objects in the target. */
  readonly #objects: Set<string>;
  /** Files of the last backup, by path. */
  readonly #known: ReadonlyMap<string, BackedUpFile>;
  readonly #added: string[] = [];

  constructor(options: Options, objects: Set<string>, known: ReadonlyMap<string, BackedUpFile>) {
    this.#options = options;
    this.#objects = objects;
    this.#known = known;
  }

  /** Stores the files beside the database. Damaged files, and files that went meanwhile, are left out. */
  async store(): Promise<BackedUpFile[]> {
    const { dataDir, repository } = this.#options;
    const found = await dataFiles(dataDir, { withKey: repository.cipher.isEncrypted });
    const stored: BackedUpFile[] = [];
    for (const file of found) {
      const one = await this.#storeFile(file);
      if (one !== null) stored.push(one);
    }
    return stored;
  }

  async #storeFile(file: DataFile): Promise<BackedUpFile | null> {
    const path = join(this.#options.dataDir, file.path);
    for (let left = tries; left > 0; left -= 1) {
      const facts = await stat(path).catch(() => null);
      if (facts === null) return null;
      const now = { path: file.path, size: facts.size, changedAt: facts.mtimeMs };
      const known = this.#known.get(file.path);
      const isKnown = known?.size === now.size && known.changedAt === now.changedAt;
      const sha256 = file.sha256 ?? (isKnown ? known.sha256 : await hashOf(path));
      if (await this.#storeObject(sha256, path, now.size)) return { ...now, sha256 };
      // A file that is named by its hash never changes: it is damaged.
      if (file.sha256 !== null) return null;
    }
    return null;
  }

  async storeDatabase(): Promise<{ database: Manifest['database']; facts: SnapshotFacts }> {
    const { dataDir } = this.#options;
    const scratch = join(dataDir, scratchName);
    await rm(scratch, { recursive: true, force: true });
    await mustHaveRoom(dataDir);
    await mkdir(scratch, { mode: 0o700 });
    try {
      const copy = join(scratch, databaseName);
      const facts = await copyDatabase(join(dataDir, databaseName), copy);
      const sha256 = await hashOf(copy);
      const { size } = await stat(copy);
      await this.#storeObject(sha256, copy, size);
      return { database: { sha256, size }, facts };
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Reads everything that was added once more. @throws DamagedBackup */
  async readBack(): Promise<void> {
    const { repository } = this.#options;
    for (const sha256 of this.#added)
      try {
        for await (const _ of repository.readObject(sha256));
      } catch (cause) {
        await repository.removeObject(repository.cipher.objectName(sha256));
        throw new DamagedBackup(
          `${repository.target.label} did not store what was written there. Check the disk, then run the backup again.`,
          { cause },
        );
      }
  }

  /** Returns false where the content has another hash. */
  async #storeObject(sha256: string, path: string, size: number): Promise<boolean> {
    const { repository } = this.#options;
    const name = repository.cipher.objectName(sha256);
    if (this.#objects.has(name)) return true;
    await this.#mustFit(size);
    const isStored = await repository.saveObject(
      sha256,
      createReadStream(path, { highWaterMark: 1024 * 1024 }),
    );
    if (!isStored) return false;
    this.#objects.add(name);
    this.#added.push(sha256);
    this.newBytes += size;
    return true;
  }

  async #mustFit(size: number): Promise<void> {
    const { target } = this.#options.repository;
    const free = await target.freeBytes();
    if (free !== null && free < size)
      throw new BadSetting(
        `There is no room for the backup in ${target.label}: it needs at least ${megabytes(size - free)} MB more. Earlier backups are as they were.`,
      );
  }
}

/** Files of the newest backup that can be read; none where there is no such backup. */
async function knownFiles(repository: Repository): Promise<Map<string, BackedUpFile>> {
  const last = (await repository.names()).at(-1);
  if (last === undefined) return new Map();
  try {
    const { files } = await repository.manifest(last);
    return new Map(files.map((file) => [file.path, file]));
  } catch (error) {
    if (error instanceof DamagedBackup) return new Map();
    throw error;
  }
}

/** Those of both; of a file that changed meanwhile, the first: the anchors. */
function merged(before: BackedUpFile[], after: BackedUpFile[]): BackedUpFile[] {
  const first = new Set(before.map(({ path }) => path));
  return [...before, ...after.filter(({ path }) => !first.has(path))];
}

function missingOf({ files: wanted }: SnapshotFacts, files: readonly BackedUpFile[]): string[] {
  const stored = new Set(files.map(({ path }) => path));
  return wanted.map((sha256) => `media/${sha256.slice(0, 2)}/${sha256}`).filter((path) => !stored.has(path));
}

/** Removes the objects that no backup needs any more. Does nothing where one of the backups cannot be read. */
async function removeUnused(repository: Repository): Promise<void> {
  const needed = new Set<string>();
  for (const name of await repository.names()) {
    const manifest = await repository.manifest(name).catch(() => null);
    if (manifest === null) return;
    for (const { sha256 } of [manifest.database, ...manifest.files])
      needed.add(repository.cipher.objectName(sha256));
  }
  for (const name of await repository.objects()) if (!needed.has(name)) await repository.removeObject(name);
}

/** The copy of the database needs room beside it. */
async function mustHaveRoom(dataDir: string): Promise<void> {
  const { size } = await stat(join(dataDir, databaseName));
  const { bavail, bsize } = await statfs(dataDir);
  const needed = size + reserveBytes - bavail * bsize;
  if (needed > 0)
    throw new BadSetting(
      `There is no room for a copy of the database on the disk of ${dataDir}: it needs ${megabytes(needed)} MB more. Nothing was backed up.`,
    );
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}
