import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { anchorFiles } from '#server/features/audit/anchors.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';

/** A file of the data folder that goes into a backup. */
export interface DataFile {
  /** Relative to the data folder, with `/`. */
  path: string;
  /** Its SHA-256 where the name says so. */
  sha256: string | null;
  size: number;
  changedAt: number;
}

/** The folders of the data folder with files that a backup holds, and which of their files. */
const folders: readonly { folder: string; holds: RegExp }[] = [
  // Sizes of pictures (`<sha256>.<name>`) can be made again; uploads in progress are sent again by their devices.
  { folder: 'media', holds: /^media\/[0-9a-f]{2}\/[0-9a-f]{64}$/ },
  { folder: 'training', holds: /^training\/(?:\d+\/\d+|[\w-]+\.zip)$/ },
  { folder: 'archives', holds: /^archives\/(?:[\w-]+\.omanual|uploads\/\d+)$/ },
];

/**
 * The files of a data folder beside its database that a backup holds. Left out: locks, files on their way, and what can
 * be made again. `withKey`: also the server's key, which may lie in encrypted backups only.
 */
export async function dataFiles(dataDir: string, { withKey }: { withKey: boolean }): Promise<DataFile[]> {
  const found: DataFile[] = [];
  for (const name of [anchorFiles.anchors, anchorFiles.key, ...(withKey ? [keyFileName] : [])])
    found.push(...(await look(dataDir, name)));
  for (const { folder, holds } of folders)
    for (const name of await namesBelow(dataDir, folder))
      if (holds.test(name)) found.push(...(await look(dataDir, name)));
  return found;
}

async function look(dataDir: string, path: string): Promise<DataFile[]> {
  // A file that went since it was listed is not part of the backup.
  const facts = await stat(join(dataDir, path)).catch(absent);
  if (facts === null) return [];
  const sha256 = /^media\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path)?.[1] ?? null;
  return [{ path, sha256, size: facts.size, changedAt: facts.mtimeMs }];
}

async function namesBelow(dataDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, folder), { recursive: true }).catch(absent);
  return (entries ?? []).map((name) => `${folder}/${name.replaceAll('\\', '/')}`).toSorted();
}

function absent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
