import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Blobs } from '#server/media/blobs.ts';
import { anchorFiles } from '#server/features/audit/anchors.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';

/** A file of the data folder that a backup contains. */
export interface DataFile {
  /** Relative to the data folder, with `/`. */
  path: string;
  /** Its SHA-256 if the name contains it. */
  sha256: string | null;
  size: number;
  changedAt: number;
}

/** Folders in the data folder, and which of their files a backup contains. */
const folders: readonly { folder: string; holds: RegExp }[] = [
  // Resized pictures (`<sha256>.<name>`) can be made again. Devices repeat uploads that were in progress.
  { folder: 'media', holds: /^media\/[0-9a-f]{2}\/[0-9a-f]{64}$/ },
  { folder: 'training', holds: /^training\/(?:\d+\/\d+|[\w-]+\.zip)$/ },
  { folder: 'archives', holds: /^archives\/(?:[\w-]+\.omanual|uploads\/\d+)$/ },
];

/**
 * The files of a data folder that a backup contains besides the database. Locks, unfinished files and files that can be
 * made again are left out. `withKey`: include the server's key; only for encrypted backups. `blobs`: where pictures,
 * documents and videos are if not in the data folder; their paths are those that they would have there.
 */
export async function dataFiles(
  dataDir: string,
  { withKey, blobs }: { withKey: boolean; blobs: Blobs | null },
): Promise<DataFile[]> {
  const found: DataFile[] = [];
  for (const name of [anchorFiles.anchors, anchorFiles.key, ...(withKey ? [keyFileName] : [])])
    found.push(...(await look(dataDir, name)));
  if (blobs !== null)
    for await (const { sha256, size, storedAt } of blobs.list())
      found.push({ path: `media/${sha256.slice(0, 2)}/${sha256}`, sha256, size, changedAt: storedAt });
  for (const { folder, holds } of folders.filter((one) => blobs === null || one.folder !== 'media'))
    for (const name of await namesBelow(dataDir, folder))
      if (holds.test(name)) found.push(...(await look(dataDir, name)));
  return found;
}

async function look(dataDir: string, path: string): Promise<DataFile[]> {
  // The file was removed after it was listed.
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
