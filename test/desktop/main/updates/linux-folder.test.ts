import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { buildArchive } from '#desktop/build/linux-archive.ts';
import { extractFolder } from '#desktop/main/updates/extract.ts';
import { findInstallation, forgetTry } from '#desktop/main/updates/linux-folder.ts';
import type { Installer } from '#desktop/main/updates/installer.ts';
import { plainFiles } from '#desktop/main/updates/plain-files.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;

beforeEach(async () => {
  folder = await temporaryFolder('linux-folder');
  await makeArchive('0.1.0');
  execFileSync('tar', ['-xzf', archiveOf('0.1.0'), '-C', folder.path]);
  root = join(folder.path, 'benchbook-desktop');
});
afterEach(() => folder[Symbol.asyncDispose]());

const archiveOf = (version: string): string =>
  join(folder.path, `benchbook-desktop-${version}-linux-${process.arch}.tar.gz`);

/** An archive with a program that prints its version, or does what `script` says. */
async function makeArchive(version: string, script = `echo ${version}`): Promise<void> {
  const program = join(folder.path, `program-${version}`);
  await mkdir(join(program, 'resources'), { recursive: true });
  await writeFile(join(program, 'benchbook-desktop'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await writeFile(join(program, 'chrome-sandbox'), '', { mode: 0o755 });
  await chmod(join(program, 'chrome-sandbox'), 0o4755);
  // Random, so that half of the archive ends inside of it.
  await writeFile(join(program, 'resources/app.asar'), `archive of ${version}`);
  await appendFile(join(program, 'resources/app.asar'), randomBytes(200_000));
  await buildArchive({ program, to: folder.path, version, quick: true });
}

const programOf = (version: string): string => join(root, 'versions', version, 'benchbook-desktop');

/** Installs a 0.2.0 that runs for as many seconds as its argument says. */
async function installSleep(): Promise<void> {
  await makeArchive('0.2.0');
  const program = join(folder.path, 'program-0.2.0');
  // Only a program in the folder of the version counts as this version running.
  await rm(join(program, 'benchbook-desktop'));
  execFileSync('cp', ['/bin/sleep', join(program, 'benchbook-desktop')]);
  await buildArchive({ program, to: folder.path, version: '0.2.0', quick: true });
  await install('0.1.0', '0.2.0');
}

async function installerOf(version: string): Promise<Installer> {
  const found = await findInstallation({ program: programOf(version), platform: 'linux' });
  if (found.by !== 'app') throw new Error('The folder should be one that updates itself');
  return found.installer;
}

async function install(from: string, version: string): Promise<void> {
  const prepared = await (await installerOf(from)).prepare(version, chunksOf(archiveOf(version)));
  await prepared.activate();
}

/** The files of the app's folder that this process has open. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return paths.filter((path) => path.startsWith(root));
}

/** Installs 0.2.0, as if the app ended after so many file calls. */
async function installUntil(last: number): Promise<{ calls: number; isDone: boolean }> {
  const installer = await installerOf('0.1.0');
  let calls = 0;
  for (const name of ['mkdir', 'open', 'readlink', 'rename', 'rm', 'symlink'] as const) {
    const real = plainFiles[name] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(plainFiles, name).mockImplementation(((...args: unknown[]) => {
      calls += 1;
      return calls > last ? Promise.reject(new Error('the app has ended')) : real(...args);
    }) as never);
  }
  try {
    const prepared = await installer.prepare('0.2.0', chunksOf(archiveOf('0.2.0')));
    await prepared.activate();
    return { calls, isDone: true };
  } catch {
    return { calls, isDone: false };
  } finally {
    vi.restoreAllMocks();
  }
}

/** In pieces of an odd size. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at += 7777) yield new Uint8Array(bytes.subarray(at, at + 7777));
}

const launch = (): string =>
  execFileSync(join(root, 'benchbook-desktop'), { encoding: 'utf8', stdio: 'pipe' }).trim();

const current = (): Promise<string> => readlink(join(root, 'current'));

describe('the folder of the app on Linux', () => {
  it('UPDATE-16 a new version starts next time, and the one before stays until it has shown its first screen', async () => {
    expect(launch()).toBe('0.1.0');
    await makeArchive('0.2.0');
    await install('0.1.0', '0.2.0');
    expect(await readFile(join(root, 'versions/0.2.0/resources/app.asar'), 'utf8')).toContain('0.2.0');
    const modeOf = async (name: string): Promise<number> =>
      (await stat(join(root, 'versions/0.2.0', name))).mode & 0o7777;
    expect(await modeOf('benchbook-desktop')).toBe(0o755);
    expect(await modeOf('chrome-sandbox')).toBe(0o755);
    expect(await modeOf('resources/app.asar')).toBe(0o644);
    expect(launch()).toBe('0.2.0');
    expect(await (await installerOf('0.2.0')).confirm()).toBeNull();
    expect(launch()).toBe('0.2.0');
    expect(launch()).toBe('0.2.0');
    await makeArchive('0.3.0');
    await install('0.2.0', '0.3.0');
    expect(launch()).toBe('0.3.0');
    await (await installerOf('0.3.0')).confirm();
    expect(await readdir(join(root, 'versions'))).toEqual(['0.2.0', '0.3.0']);
  });

  it.each([
    ['ends before its first screen', 'exit 7'],
    ['cannot run', ''],
  ])('UPDATE-17 the third start goes back if a version %s', async (_, script) => {
    await makeArchive('0.2.0', script);
    if (script === '') {
      await writeFile(join(folder.path, 'program-0.2.0/benchbook-desktop'), '\u007fELF of nothing', {
        mode: 0o755,
      });
      await buildArchive({
        program: join(folder.path, 'program-0.2.0'),
        to: folder.path,
        version: '0.2.0',
        quick: true,
      });
    }
    await install('0.1.0', '0.2.0');
    expect(launch).toThrow();
    expect(launch).toThrow();
    expect(launch()).toBe('0.1.0');
    expect(await current()).toBe('versions/0.1.0');
    const installer = await installerOf('0.1.0');
    expect(await installer.confirm()).toBe('0.2.0');
    expect(await installer.confirm()).toBeNull();
    expect(await readdir(join(root, 'versions'))).toEqual(['0.1.0']);
    expect(launch()).toBe('0.1.0');
  });

  it('UPDATE-17 one start that was interrupted is no failure', async () => {
    await installSleep();
    // Power fails, or somebody closes it.
    const first = spawn(join(root, 'benchbook-desktop'), ['1000'], { stdio: 'ignore' });
    await soon(() => readlink(`/proc/${first.pid}/exe`)).toBe(programOf('0.2.0'));
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(execFileSync(join(root, 'benchbook-desktop'), ['0'], { encoding: 'utf8' })).toBe('');
    expect(await current()).toBe('versions/0.2.0');
    expect(await (await installerOf('0.2.0')).confirm()).toBeNull();
    for (let start = 0; start < 5; start += 1) execFileSync(join(root, 'benchbook-desktop'), ['0']);
    expect(await current()).toBe('versions/0.2.0');
  });

  it('UPDATE-17 starts that end because the version before still runs are no failures', async () => {
    await makeArchive('0.2.0', 'echo $$');
    await install('0.1.0', '0.2.0');
    // The app ends like this when another process has the lock.
    for (let start = 0; start < 5; start += 1) forgetTry(programOf('0.2.0'), Number(launch()));
    expect(await readdir(join(root, 'tried'))).toEqual([]);
    expect(Number(launch())).toBeGreaterThan(0);
    // A start of another process is not forgotten.
    forgetTry(programOf('0.2.0'), process.pid);
    expect(Number(launch())).toBeGreaterThan(0);
    expect(launch()).toBe('0.1.0');
  });

  it('UPDATE-17 a second start while the first one is running is no failure', async () => {
    await installSleep();
    const running = spawn(join(root, 'benchbook-desktop'), ['1000'], { stdio: 'ignore' });
    try {
      await soon(() => readlink(`/proc/${running.pid}/exe`)).toBe(programOf('0.2.0'));
      for (let start = 0; start < 3; start += 1) execFileSync(join(root, 'benchbook-desktop'), ['0']);
      expect(await current()).toBe('versions/0.2.0');
    } finally {
      running.kill();
      await once(running, 'exit');
    }
    expect(execFileSync(join(root, 'benchbook-desktop'), ['0'], { encoding: 'utf8' })).toBe('');
    expect(execFileSync(join(root, 'benchbook-desktop'), ['0'], { encoding: 'utf8' }).trim()).toBe('0.1.0');
  });

  it('UPDATE-18 an installation that breaks off leaves the version in use', async () => {
    await makeArchive('0.2.0');
    const installer = await installerOf('0.1.0');
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield* chunksOf(archiveOf('0.2.0'));
      throw new Error('the last byte was wrong');
    };
    await expect(installer.prepare('0.2.0', broken())).rejects.toThrow('the last byte');
    expect(await readdir(join(root, 'versions'))).toEqual(['0.1.0']);
    await expect(installer.prepare('0.2.0', half(archiveOf('0.2.0')))).rejects.toThrow();
    const stalled = async function* (): AsyncGenerator<Uint8Array> {
      yield* half(archiveOf('0.2.0'));
      throw new Error('the disk failed');
    };
    await expect(installer.prepare('0.2.0', stalled())).rejects.toThrow('the disk failed');
    expect(await readdir(join(root, 'versions'))).toEqual(['0.1.0']);
    expect(await openFiles()).toEqual([]);
    // Power fails between the marks and the switch, or in an earlier attempt.
    await symlink('versions/0.1.0', join(root, 'before'));
    await writeFile(join(root, 'trial'), '0.2.0\n');
    await mkdir(join(root, 'versions/.0.2.0.part'));
    expect(launch()).toBe('0.1.0');
    expect(launch()).toBe('0.1.0');
    // The version that was never started is not one that did not start.
    expect(await installer.confirm()).toBeNull();
    expect((await readdir(root)).toSorted()).toEqual(['before', 'benchbook-desktop', 'current', 'versions']);
    await install('0.1.0', '0.2.0');
    expect(launch()).toBe('0.2.0');
  });

  it('UPDATE-18 a version can be started and updated after the app ended at any file call of an installation', async () => {
    await makeArchive('0.2.0');
    const whole = await installUntil(Infinity);
    expect(whole.calls).toBeGreaterThan(20);
    expect(launch()).toBe('0.2.0');
    const started: string[] = [];
    for (let last = 0; last < whole.calls; last += 1) {
      await rm(root, { recursive: true });
      execFileSync('tar', ['-xzf', archiveOf('0.1.0'), '-C', folder.path]);
      expect((await installUntil(last)).isDone).toBe(false);
      const version = launch();
      started.push(version);
      const installer = await installerOf(version);
      expect(await installer.confirm()).toBeNull();
      expect(launch()).toBe(version);
      if (version === '0.1.0') await install('0.1.0', '0.2.0');
      expect(launch()).toBe('0.2.0');
    }
    expect(new Set(started)).toEqual(new Set(['0.1.0', '0.2.0']));
  });

  it('UPDATE-19 a folder that this account may not write to, and other folders, are left alone', async () => {
    const program = join(root, 'versions/0.1.0/benchbook-desktop');
    const list = join(folder.path, 'list');
    const find = (one: string, platform: NodeJS.Platform = 'linux') =>
      findInstallation({ program: one, platform, debianList: list });
    expect(await find(program)).toMatchObject({ by: 'app' });
    expect(await find(program, 'win32')).toEqual({ by: 'person', kinds: ['nsis'] });
    expect(await find(program, 'darwin')).toEqual({ by: 'person', kinds: ['dmg'] });
    expect(await find('/home/ada/linux-unpacked/benchbook-desktop')).toMatchObject({ by: 'person' });
    await writeFile(list, '/opt\n/opt/Benchbook/benchbook-desktop\n');
    const debian = { by: 'administrator', kind: 'deb' };
    expect(await find('/opt/Benchbook/benchbook-desktop')).toEqual(debian);
    await rm(join(root, 'current'));
    expect(await find(program)).toMatchObject({ by: 'person' });
  });

  it.each<[string, (inside: string) => Promise<unknown>]>([
    ['a link', (inside) => symlink('/etc/passwd', join(inside, 'link'))],
    ['a link to a folder', (inside) => symlink('/tmp', join(inside, 'folder'))],
    ['a hidden file', (inside) => writeFile(join(inside, '.profile'), '')],
    ['a backslash in a name', (inside) => writeFile(join(inside, 'a\\..\\b'), '')],
    ['a pipe', async (inside) => execFileSync('mkfifo', [join(inside, 'pipe')])],
    [
      'a hard link',
      async (inside) => {
        await writeFile(join(inside, 'one'), 'one');
        execFileSync('ln', [join(inside, 'one'), join(inside, 'two')]);
      },
    ],
  ])('UPDATE-20 nothing is installed from an archive with %s', async (_, put) => {
    const inside = join(folder.path, 'odd/benchbook-desktop/versions/0.2.0');
    await mkdir(inside, { recursive: true });
    await writeFile(join(inside, 'benchbook-desktop'), '', { mode: 0o755 });
    await put(inside);
    execFileSync('tar', ['-czf', archiveOf('0.2.0'), '-C', join(folder.path, 'odd'), 'benchbook-desktop']);
    const installer = await installerOf('0.1.0');
    await expect(installer.prepare('0.2.0', chunksOf(archiveOf('0.2.0')))).rejects.toThrow();
    expect(await readdir(join(root, 'versions'))).toEqual(['0.1.0']);
  });

  it('UPDATE-20 entries outside of the folder of the version are not extracted', async () => {
    const odd = join(folder.path, 'odd');
    await mkdir(join(odd, 'benchbook-desktop/versions/0.2.0'), { recursive: true });
    for (const path of ['benchbook-desktop/versions/0.2.0/a', 'benchbook-desktop/versions/0.2.00', 'evil'])
      await writeFile(join(odd, path), path);
    const archive = archiveOf('0.2.0');
    const up = join('..', 'odd', 'evil');
    await create({ cwd: odd, file: archive, gzip: true, preservePaths: true }, ['benchbook-desktop', up]);
    const to = join(folder.path, 'to');
    await extractFolder(chunksOf(archive), 'benchbook-desktop/versions/0.2.0/', to);
    expect(await readdir(to)).toEqual(['a']);
    await expect(lstat(join(folder.path, 'evil'))).rejects.toThrow();
    const another = extractFolder(chunksOf(archive), 'benchbook-desktop/versions/0.9.0/', join(to, 'b'));
    await expect(another).rejects.toThrow('no folder');
  });
});

async function* half(path: string): AsyncGenerator<Uint8Array> {
  const bytes = await readFile(path);
  yield new Uint8Array(bytes.subarray(0, bytes.length / 2));
}
