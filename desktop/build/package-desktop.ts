/** `npm run package`: packages the desktop app with electron-builder, and as a Debian package where that is possible. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { type AfterPackContext, build, Platform } from 'electron-builder';
import { z } from 'zod';

import { updateKeys } from '#shared/model/desktop-update.ts';
import { must } from '#shared/must.ts';

import { beforePack } from './bill-of-materials.ts';
import { buildDesktop } from './build.ts';
import { buildDebian, hasDpkg } from './debian-package.ts';
import {
  electronForPackage,
  findElectron,
  nodeTargetOf,
  pinnedVersion,
  type ElectronBinary,
} from './electron-binary.ts';
import { buildArchive } from './linux-archive.ts';
import { pathWithElectron } from './package-names.ts';

const root = join(import.meta.dirname, '../..');

const usage = `npm run package -- [options] [TARGET …]

  TARGET     of electron-builder, such as AppImage, nsis or dmg; most download a tool
             (default: the folder of the program; on Linux also an archive that updates itself, and a Debian
             package where dpkg-deb is installed)
  --to DIR   where the packages go (default: artifacts/packages)
  --quick    compress less, in less time
  --allow-fallback
             package an older Electron if that of package.json cannot be downloaded. It gets no security fixes: the
             package is for a trial, its name says so, and sign-update.ts refuses it

The app installs updates of the publisher whose keys desktop/build/update-keys.json lists, or the file that
BENCHBOOK_UPDATE_KEYS names. Without a key it installs none.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string', default: join(root, 'artifacts/packages') },
    quick: { type: 'boolean', default: false },
    'allow-fallback': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const manifestFile = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  main: z.string(),
  desktopName: z.string(),
});
type Manifest = z.infer<typeof manifestFile>;

/**
 * Builds the app for an Electron into a folder of its own. Tests and `npm start` may use `desktop/out` meanwhile. The
 * manifest there names no packages, so electron-builder looks for none.
 */
async function stage(
  folder: string,
  manifest: Manifest,
  electron: ElectronBinary,
  keys: readonly string[],
): Promise<void> {
  await buildDesktop(join(folder, 'desktop/out'), {
    nodeTarget: nodeTargetOf(electron.version),
    updateKeys: keys,
    minify: true,
  });
  const packed = { ...manifest, author: 'Benchbook contributors' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

/** The publisher's public keys that go into the package. */
function pinnedKeys(): string[] {
  // An empty variable counts as not set.
  const file = process.env['BENCHBOOK_UPDATE_KEYS'] || join(import.meta.dirname, 'update-keys.json');
  return updateKeys.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Packs a staged app into `to`; returns what was packed for the last target. */
async function pack(
  staged: string,
  to: string,
  targets: string[],
  electron: ElectronBinary,
): Promise<{ files: string[]; context: AfterPackContext }> {
  let context: AfterPackContext | undefined;
  const files = await build({
    projectDir: staged,
    targets: Platform.current().createTarget(targets.length > 0 ? targets : 'dir'),
    publish: 'never',
    config: {
      extends: join(root, 'electron-builder.yml'),
      electronDist: electron.folder,
      electronVersion: electron.version,
      directories: { output: to },
      beforePack,
      afterPack: (packed) => {
        context = packed;
        // The folder of an Electron also has an app of its own and a version file.
        for (const path of ['resources/default_app.asar', 'version'])
          rmSync(join(packed.appOutDir, path), { force: true });
      },
    },
  });
  return { files, context: must(context, 'a packed program') };
}

/** Renames a package; returns its new path. */
function withElectronInName(path: string, { version }: ElectronBinary): string {
  const marked = pathWithElectron(path, version);
  if (marked !== path) renameSync(path, marked);
  return marked;
}

/** The Electron to package. Without one, the program ends with one sentence. */
function electronOrEnd(): ElectronBinary {
  try {
    return electronForPackage(findElectron(), values['allow-fallback']);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(usage);
  // A download takes minutes, also one that fails.
  process.stdout.write(`Getting Electron ${pinnedVersion()} …\n`);
  const electron = electronOrEnd();
  const manifest = manifestFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const { version, desktopName } = manifest;
  const keys = pinnedKeys();
  const to = resolve(values.to);
  mkdirSync(to, { recursive: true });
  const staged = mkdtempSync(join(tmpdir(), 'benchbook-package-'));
  try {
    await stage(staged, manifest, electron, keys);
    const { files, context } = await pack(staged, to, positionals, electron);
    const program = context.appOutDir;
    const { quick } = values;
    if (positionals.length === 0 && process.platform === 'linux') {
      files.push(await buildArchive({ program, to, version, quick }));
      const { config } = context.packager;
      if (hasDpkg()) files.push(await buildDebian({ program, to, version, config, desktopName, quick }));
    }
    const named = electron.isFallback ? files.map((path) => withElectronInName(path, electron)) : files;
    const places = [program, ...named].map((path) => relative(process.cwd(), path)).join(', ');
    const warning = electron.isFallback
      ? ` (not ${pinnedVersion()}: try this package out, but give it to nobody)`
      : '';
    const updates = keys.length === 0 ? 'installs no updates, since no key is pinned' : 'installs updates';
    process.stdout.write(
      `Packaged Benchbook ${version} with Electron ${electron.version}${warning}, which ${updates}: ${places}\n`,
    );
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

await main();
