import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { databaseName } from '#server/storage/sqlite.ts';

import type { BackedUpFile, Manifest } from './manifest.ts';
import { DamagedBackup, type Repository } from './repository.ts';

/** The database of a backup as a file of the data folder. */
export function databaseFile({ database }: Manifest): Pick<BackedUpFile, 'path' | 'sha256' | 'size'> {
  return { path: databaseName, ...database };
}

/**
 * Writes a backup into an empty folder.
 *
 * - BACKUP-2 The folder equals the data folder of that time. Every file is checked against its hash.
 *
 * @throws DamagedBackup naming the first file that is damaged or missing
 */
export async function unpackBackup(
  repository: Repository,
  manifest: Manifest,
  folder: string,
): Promise<void> {
  for (const file of [databaseFile(manifest), ...manifest.files]) await unpackFile(repository, file, folder);
}

/** @throws DamagedBackup */
export async function unpackFile(
  repository: Repository,
  { path, sha256 }: Pick<BackedUpFile, 'path' | 'sha256'>,
  folder: string,
): Promise<void> {
  const to = join(folder, path);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await using file = await open(to, 'wx', 0o600);
  try {
    for await (const chunk of repository.readObject(sha256)) await file.writeFile(chunk);
  } catch (error) {
    if (error instanceof DamagedBackup)
      throw new DamagedBackup(`${path} of the backup cannot be used: ${error.message}.`, { cause: error });
    throw error;
  }
  await file.sync();
}
