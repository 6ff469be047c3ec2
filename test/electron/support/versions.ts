import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { buildArchive } from '#desktop/build/linux-archive.ts';

import { isRoot, unprivileged } from './unprivileged.ts';

const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const { extractAll, createPackage } = createRequire(builder.resolve('app-builder-lib'))('@electron/asar') as {
  extractAll: (archive: string, to: string) => void;
  createPackage: (from: string, to: string) => Promise<void>;
};

/** The archive of a packaged program, with another version in its package.json. Returns its path. */
export async function archiveOfVersion(unpacked: string, to: string, version: string): Promise<string> {
  const program = join(to, `program-${version}`);
  execFileSync('cp', ['-al', unpacked, program]);
  const archive = join(program, 'resources/app.asar');
  const app = join(to, `app-${version}`);
  extractAll(archive, app);
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as object;
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, version }));
  // It is a link to the archive of the package.
  rmSync(archive);
  await createPackage(app, archive);
  const made = await buildArchive({ program, to, version, quick: true });
  for (const path of [program, app]) rmSync(path, { recursive: true });
  return made;
}

/** Unpacks an archive into a folder, for the account that runs the app. Returns the folder of the app. */
export function unpackArchive(archive: string, to: string): string {
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', to]);
  if (isRoot) execFileSync('chown', ['-R', `${unprivileged.uid}:${unprivileged.gid}`, to]);
  return join(to, readdirSync(to)[0] ?? '');
}
