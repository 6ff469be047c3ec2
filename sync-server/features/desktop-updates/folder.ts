import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  compareVersions,
  mostUpdateFileBytes,
  signedUpdate,
  updateFileName,
  updateManifest,
  type UpdateManifest,
} from '#shared/model/desktop-update.ts';
import { BadSetting } from '#server/platform/config.ts';

/** The folder of the published update, in the data folder. */
export function updatesFolder(dataDir: string): string {
  return join(dataDir, 'desktop-updates');
}

/**
 * Publishes the update in a folder: copies its packages, then replaces `update.json`, then removes the packages of the
 * update before. Returns its manifest. Signatures are not verified here: devices do that, and do not trust the server.
 *
 * - UPDATE-22 `benchbook updates add FOLDER` publishes an update. A folder without one, a package that is missing or does
 *   not match its hash, and a version older than the published one are refused, and nothing changes.
 * @throws BadSetting
 */
export async function publishFolder(dataDir: string, from: string): Promise<UpdateManifest> {
  const manifest = await manifestIn(from);
  if (manifest === null)
    throw new BadSetting(`There is no update in ${from}: it has no ${updateFileName} that can be read.`);
  for (const { file, size, sha256 } of manifest.artefacts)
    if (!(await matches(join(from, file), size, sha256)))
      throw new BadSetting(`${file} is missing or is not the package that ${updateFileName} names.`);
  const to = updatesFolder(dataDir);
  const present = await manifestIn(to);
  if (present !== null && compareVersions(manifest.version, present.version) < 0)
    throw new BadSetting(
      `Version ${present.version} is published already. Devices refuse the older version ${manifest.version}.`,
    );
  await mkdir(to, { recursive: true });
  const files = manifest.artefacts.map(({ file }) => file);
  for (const file of [...files, updateFileName]) await replace(join(from, file), join(to, file));
  for (const file of await readdir(to))
    if (file !== updateFileName && !files.includes(file))
      await rm(join(to, file), { recursive: true, force: true });
  return manifest;
}

/** The manifest of the update in a folder, without a look at its signature; null if there is none. */
async function manifestIn(folder: string): Promise<UpdateManifest | null> {
  const path = join(folder, updateFileName);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > mostUpdateFileBytes) return null;
  try {
    const { manifest } = signedUpdate.parse(JSON.parse(await readFile(path, 'utf8')));
    return updateManifest.parse(JSON.parse(manifest));
  } catch {
    return null;
  }
}

async function matches(path: string, size: number, sha256: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size !== size) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}

/** Copies a file to a temporary name and renames it, so that nobody downloads a part. */
async function replace(from: string, to: string): Promise<void> {
  const temporary = `${to}.part`;
  await copyFile(from, temporary);
  {
    await using file = await open(temporary, 'r+');
    await file.sync();
  }
  await rename(temporary, to);
}
