import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import type { Blobs } from '#server/media/blobs.ts';
import { blobsElsewhere } from '#server/media/open.ts';
import { BrokenRead } from '#server/media/broken-read.ts';
import { BadSetting } from '#server/platform/config.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { dataFiles, type DataFile } from './data-files.ts';
import { keyInBackup, type BackedUpDatabase } from './databases.ts';
import type { BackedUpFile, Manifest } from './manifest.ts';
import { DamagedBackup, type Repository } from './repository.ts';
import { backupName, backupsToRemove, type Retention } from './retention.ts';
import type { SnapshotFacts } from './snapshot.ts';

/** Folder in the data folder for the temporary copy of the database. */
const scratchName = 'backup.tmp';
/** Space that the copy must leave free for the running server, bytes. */
const reserveBytes = 256 * 1024 ** 2;
/** Attempts to read a file that changes meanwhile. */
const tries = 3;

/** The result of a backup. */
export interface BackupReport {
  name: string;
  /** UNIX milliseconds. */
  madeAt: number;
  files: number;
  /** Size of the backup, and the part of it that was new in the target, in bytes. */
  bytes: number;
  newBytes: number;
  /** Files that the backup lacks because they are damaged or missing in the data folder. */
  missing: string[];
  /** Older backups that were removed. */
  removed: string[];
}

interface Options {
  dataDir: string;
  database: BackedUpDatabase;
  /** Whether the last proof failed, so that stored content must be read before it is relied on. */
  isDoubtful: boolean;
  repository: Repository;
  retention: Retention;
  /** Whether to go on with the backups of another server with the same history. */
  takeOver?: boolean;
  /** Version of the program. */
  program: string;
  now: () => number;
}

/**
 * Backs up a data folder, also while a server works on it. The backup is consistent: the database is copied as of one
 * moment, and the files that its records name never change.
 *
 * - BACKUP-1 It contains every write that was acknowledged before it began.
 * - BACKUP-3 Content that the target already has is not stored again.
 * - BACKUP-21 Pictures, documents and videos in S3 are copied from there; a restore puts them into the data folder.
 * - BACKUP-5 It contains each file of the data folder, except for locks, unfinished uploads and archives, and what can be
 *   made again, such as sizes of pictures. For the server's key, see BACKUP-4.
 * - BACKUP-7 A damaged file of the data folder is reported; everything else is backed up.
 * - BACKUP-8 A backup that is killed leaves earlier ones intact.
 * - BACKUP-11 Removing a backup also removes content that no other backup needs.
 * - BACKUP-16 After a proof that failed, stored content is read again and damaged content is replaced.
 *
 * @throws BadSetting if another backup is running or there is no room
 */
export async function makeBackup(options: Options): Promise<BackupReport> {
  const { repository, retention, database: source } = options;
  using lock = await repository.target.lock();
  if (lock === null) throw new BadSetting(`Another backup to ${repository.target.label} is running.`);
  const site = await source.siteIds();
  if (site !== null) await repository.reserveFor(site, options.takeOver ?? false);
  const blobs = await blobsElsewhere(options.dataDir, options.now);
  const storing = new Storing(
    { ...options, blobs },
    await repository.objects(),
    await knownFiles(repository),
  );
  // Before the database, because the anchors must not name rows of the audit log that the copy lacks.
  const before = await storing.store();
  const { database, facts } = await storing.storeDatabase();
  const files = [...merged(before, await storing.store()), ...(await storing.storeKey())];
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

/** The name of a backup made at `at`. If the name is taken, the next free second. */
function freeName(at: number, names: readonly string[]): string {
  const name = backupName(at);
  return names.includes(name) ? freeName(at + 1000, names) : name;
}

/** Stores the content of a data folder that the target does not have. */
class Storing {
  newBytes = 0;
  readonly #options: Options & { blobs: Blobs | null };
  /** Names of objects in the target. */
  readonly #objects: Set<string>;
  /** Files of the last backup, by path. */
  readonly #known: ReadonlyMap<string, BackedUpFile>;
  readonly #added = new Set<string>();
  /** Content of the target that was read in this backup, and is sound. */
  readonly #sound = new Set<string>();

  constructor(
    options: Options & { blobs: Blobs | null },
    objects: Set<string>,
    known: ReadonlyMap<string, BackedUpFile>,
  ) {
    this.#options = options;
    this.#objects = objects;
    this.#known = known;
  }

  /** Stores all files but the database. Skips damaged files and files that were removed meanwhile. */
  async store(): Promise<BackedUpFile[]> {
    const { dataDir, database, repository, blobs } = this.#options;
    const isFile = database.serverKey === undefined;
    const withKey = isFile && repository.cipher.isEncrypted;
    const found = await dataFiles(dataDir, { withKey, blobs });
    const stored: BackedUpFile[] = [];
    for (const file of found) {
      const one = await (blobs !== null && file.sha256 !== null
        ? this.#storeBlob(blobs, { ...file, sha256: file.sha256 })
        : this.#storeFile(file));
      if (one !== null) stored.push(one);
    }
    return stored;
  }

  async #storeBlob(blobs: Blobs, file: BackedUpFile): Promise<BackedUpFile | null> {
    const { sha256, size } = file;
    try {
      const read = async (): Promise<Readable> => (await blobs.open(sha256, size)).stream(0, size - 1);
      return (await this.#storeObject(sha256, read, size)) ? file : null;
    } catch (error) {
      if (error instanceof BrokenRead || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
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
      if (await this.#storeObject(sha256, async () => readable(path), now.size)) return { ...now, sha256 };
      // A file named by its hash never changes, so it is damaged.
      if (file.sha256 !== null) return null;
    }
    return null;
  }

  async storeDatabase(): Promise<{ database: Manifest['database']; facts: SnapshotFacts }> {
    const { dataDir, database } = this.#options;
    await mustHaveRoom(dataDir, await database.size());
    return this.#inScratch(async (scratch) => {
      const copy = join(scratch, databaseName);
      const facts = await database.copy(copy);
      const sha256 = await hashOf(copy);
      const { size } = await stat(copy);
      await this.#storeObject(sha256, async () => readable(copy), size);
      return { database: { sha256, size }, facts };
    });
  }

  /** Stores the key of the server if it is in the database; only in encrypted backups. */
  async storeKey(): Promise<BackedUpFile[]> {
    const { database, repository, now } = this.#options;
    const pem = repository.cipher.isEncrypted ? await database.serverKey?.() : undefined;
    if (pem === undefined || pem === null) return [];
    return this.#inScratch(async (scratch) => {
      const path = join(scratch, keyInBackup);
      await writeFile(path, pem, { mode: 0o600 });
      const file = {
        path: keyInBackup,
        sha256: await hashOf(path),
        size: Buffer.byteLength(pem),
        changedAt: now(),
      };
      await this.#storeObject(file.sha256, async () => readable(path), file.size);
      return [file];
    });
  }

  async #inScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
    const scratch = join(this.#options.dataDir, scratchName);
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    try {
      return await work(scratch);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Reads all added content back. @throws DamagedBackup */
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

  /** Returns false if the content has another hash. */
  async #storeObject(sha256: string, open: () => Promise<Readable>, size: number): Promise<boolean> {
    const { repository } = this.#options;
    const name = repository.cipher.objectName(sha256);
    if (this.#objects.has(name) && (await this.#isReliable(sha256))) return true;
    await this.#mustFit(size);
    const isStored = await repository.saveObject(sha256, await open());
    if (!isStored) return false;
    this.#objects.add(name);
    this.#added.add(sha256);
    this.newBytes += size;
    return true;
  }

  async #isReliable(sha256: string): Promise<boolean> {
    if (!this.#options.isDoubtful || this.#added.has(sha256) || this.#sound.has(sha256)) return true;
    try {
      for await (const _ of this.#options.repository.readObject(sha256));
      this.#sound.add(sha256);
      return true;
    } catch (error) {
      if (error instanceof DamagedBackup) return false;
      throw error;
    }
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

/** The files of the newest backup by path; empty if it cannot be read. */
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

/** Both lists; the first version of a file that is in both (the anchors). */
function merged(before: BackedUpFile[], after: BackedUpFile[]): BackedUpFile[] {
  const first = new Set(before.map(({ path }) => path));
  return [...before, ...after.filter(({ path }) => !first.has(path))];
}

function missingOf({ files: wanted }: SnapshotFacts, files: readonly BackedUpFile[]): string[] {
  const stored = new Set(files.map(({ path }) => path));
  return wanted.map((sha256) => `media/${sha256.slice(0, 2)}/${sha256}`).filter((path) => !stored.has(path));
}

/** Removes objects that no backup needs. Removes nothing if a backup cannot be read. */
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

function readable(path: string): Readable {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** @throws BadSetting if the disk has no room for a copy of the database */
async function mustHaveRoom(dataDir: string, size: number): Promise<void> {
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
