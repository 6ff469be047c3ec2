import { constants, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { desktopVersion } from '#shared/model/desktop-update.ts';

import { unlessMissing } from '../disk-errors.ts';
import { extractFolder } from './extract.ts';
import type { Installation, Installer, PreparedVersion } from './installer.ts';
import { plainFiles, replaceFile, syncFolder } from './plain-files.ts';

/** The folder in the archive, and the name of the program and of what starts it. */
const archiveFolder = 'benchbook-desktop';
const programName = 'benchbook-desktop';

/** Where dpkg lists the files of the Debian package. */
const debianList = '/var/lib/dpkg/info/benchbook-desktop.list';

interface Options {
  /** The running program, without links. */
  program: string;
  platform: NodeJS.Platform;
  debianList?: string;
}

/** Finds out how this copy of the app gets another version. */
export async function findInstallation(options: Options): Promise<Installation> {
  if (options.platform === 'win32') return { by: 'person', kinds: ['nsis'] };
  if (options.platform === 'darwin') return { by: 'person', kinds: ['dmg'] };
  const installer = await folderInstaller(options.program);
  if (installer !== null) return { by: 'app', kind: 'folder', installer };
  const listed = await plainFiles.readFile(options.debianList ?? debianList, 'utf8').catch(() => '');
  if (listed.split('\n').includes(options.program)) return { by: 'administrator', kind: 'deb' };
  return { by: 'person', kinds: ['folder', 'appimage', 'deb'] };
}

/**
 * Forgets that the script started this process, which ends for a reason that says nothing about its version. `program`:
 * its program, without links. Otherwise the start would count against a version on trial.
 */
export function forgetTry(program: string, pid: number): void {
  const versions = dirname(dirname(program));
  if (basename(versions) !== 'versions') return;
  const tried = join(dirname(versions), 'tried');
  try {
    for (const name of readdirSync(tried)) if (name.startsWith(`${pid}.`)) rmSync(join(tried, name));
  } catch {
    // There is none, or the folder belongs to another account: then this is one failed try too many.
  }
}

/** An installer, if the program runs from a folder of the archive that this account may write to. */
async function folderInstaller(program: string): Promise<Installer | null> {
  const running = dirname(program);
  const version = basename(running);
  const versions = dirname(running);
  const root = dirname(versions);
  if (basename(versions) !== 'versions' || !desktopVersion.safeParse(version).success) return null;
  try {
    await plainFiles.readlink(join(root, 'current'));
    for (const folder of [root, versions]) await plainFiles.access(folder, constants.W_OK | constants.X_OK);
  } catch {
    return null;
  }
  return new LinuxFolder(root, version);
}

/**
 * The folder of the archive: `versions/` with a folder for each version, the link `current` to one of them, and the script
 * `benchbook-desktop`, which starts it. While a new version has not shown its first screen, `trial` names it and `before`
 * leads to the version to go back to. The script (`desktop/build/linux-launcher.sh`) puts a file into `tried` when it starts
 * the new version, named by the process, and writes `left` when it goes back.
 */
class LinuxFolder implements Installer {
  readonly program: string;
  readonly #root: string;
  readonly #running: string;
  constructor(root: string, running: string) {
    this.program = join(root, programName);
    this.#root = root;
    this.#running = running;
  }

  async prepare(version: string, chunks: AsyncIterable<Uint8Array>): Promise<PreparedVersion> {
    const versions = join(this.#root, 'versions');
    const target = join(versions, version);
    const incoming = join(versions, `.${version}.part`);
    const discard = async (): Promise<void> => {
      await plainFiles.rm(incoming, { recursive: true, force: true });
    };
    await discard();
    try {
      await extractFolder(chunks, `${archiveFolder}/versions/${version}/`, incoming);
    } catch (error) {
      await discard();
      throw error;
    }
    return {
      discard,
      activate: async () => {
        // An earlier attempt may have left it; it is not in use.
        await plainFiles.rm(target, { recursive: true, force: true });
        await plainFiles.rename(incoming, target);
        await syncFolder(versions);
        await this.#remove(['tried', 'left']);
        await this.#link('before', this.#running);
        await replaceFile(this.#root, 'trial', `${version}\n`);
        await this.#link('current', version);
        await syncFolder(this.#root);
      },
    };
  }

  async confirm(): Promise<string | null> {
    const left = (await plainFiles.readFile(join(this.#root, 'left'), 'utf8').catch(unlessMissing))?.trim();
    const current = basename(await plainFiles.readlink(join(this.#root, 'current')));
    // Another update may have been installed since this version started.
    if (current === this.#running) {
      await this.#remove(['trial', 'tried', 'left']);
      await this.#removeOldVersions();
    }
    return left === undefined || !desktopVersion.safeParse(left).success ? null : left;
  }

  /** Keeps the running version and the one before it. */
  async #removeOldVersions(): Promise<void> {
    const versions = join(this.#root, 'versions');
    const before = await plainFiles.readlink(join(this.#root, 'before')).catch(() => '');
    const kept = [this.#running, basename(before)];
    for (const name of await plainFiles.readdir(versions))
      if (!kept.includes(name)) await plainFiles.rm(join(versions, name), { recursive: true, force: true });
  }

  /** Replaces a link in one step. */
  async #link(name: string, version: string): Promise<void> {
    const temporary = join(this.#root, `.${name}`);
    await plainFiles.rm(temporary, { force: true });
    await plainFiles.symlink(`versions/${version}`, temporary);
    await plainFiles.rename(temporary, join(this.#root, name));
  }

  async #remove(names: readonly string[]): Promise<void> {
    for (const name of names) await plainFiles.rm(join(this.#root, name), { recursive: true, force: true });
    await syncFolder(this.#root);
  }
}
