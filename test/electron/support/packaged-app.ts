import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

import { must } from '#shared/must.ts';
import { findElectron, type ElectronBinary } from '#desktop/build/electron-binary.ts';
import { soon } from '#test/support/soon.ts';

import { hasDisplay, openDisplay, type Display } from './display.ts';
import { processesOf } from './processes.ts';
import { isRoot, ownedFolder, unprivileged } from './unprivileged.ts';

const root = join(import.meta.dirname, '../../..');

/** A program that was started. */
export interface Started {
  process: ChildProcess;
  /** Its exit code; null after a signal. */
  ended: Promise<number | null>;
  /** What it wrote to its error output so far. */
  errors: () => string;
}

/** A packaged app with an open window. */
export interface PackagedApp extends Started, AsyncDisposable {
  page: Page;
}

/** A packaged app that started itself again, with an open window. */
export interface RestartedApp extends AsyncDisposable {
  page: Page;
}

interface StartOptions {
  userData: string;
  /** Default: that of the packages. */
  program?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** The packages that `npm run package` made, and what is needed to run them. */
export interface Packages extends AsyncDisposable {
  /** The Electron that was packaged. */
  electron: ElectronBinary;
  /** What `npm run package` printed. */
  printed: string;
  /** The folder that electron-builder packed. */
  unpacked: string;
  /** The Debian package; undefined where there is no dpkg-deb. */
  debian: string | undefined;
  /** The installed tree of the Debian package; undefined where there is none. */
  installed: string | undefined;
  /** The program: of the Debian package where there is one. */
  program: string;
  /** Makes a folder that the app may write to. */
  writable(name: string): string;
  /** Starts a program. */
  start(program: string, options: StartOptions): Started;
  /** Starts the packaged app and waits for its window. */
  open(options: StartOptions): Promise<PackagedApp>;
  /** Waits until the program has started itself again, and for its new window. `before`: its process before that. */
  joinRestarted(userData: string, before: Started): Promise<RestartedApp>;
}

/**
 * Packages the app for the Electron that is at hand. Returns a sentence if there is none, or no display. `targets`: of
 * electron-builder; `dir` makes only the folder. `env`: further variables of the command.
 */
export async function packageDesktop({
  targets = [],
  env = {},
}: { targets?: string[]; env?: Record<string, string> } = {}): Promise<Packages | { missing: string }> {
  if (!hasDisplay()) return { missing: 'there is no display, and Xvfb is not installed' };
  const electron = findElectron();
  if ('missing' in electron) return electron;
  // The account that runs it cannot enter the folders of root.
  const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'benchbook-packages-'));
  chmodSync(folder, 0o755);
  const script = join(root, 'desktop/build/package-desktop.ts');
  const args = [script, '--quick', '--allow-fallback', '--to', folder, ...targets];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  const made = readdirSync(folder);
  const unpacked = join(
    folder,
    must(
      made.find((name) => name.endsWith('unpacked')),
      'the program',
    ),
  );
  const debianName = made.find((name) => name.endsWith('.deb'));
  const debian = debianName === undefined ? undefined : join(folder, debianName);
  const installed = debian === undefined ? undefined : join(folder, 'installed');
  if (debian !== undefined && installed !== undefined) {
    mkdirSync(installed);
    execFileSync('dpkg-deb', ['--extract', debian, installed]);
  }
  const display = await openDisplay();
  const home = ownedFolder(folder, 'home');
  const start = (program: string, options: StartOptions): Started =>
    startProgram({ program, home, display, ...options });
  const program = join(
    installed === undefined ? unpacked : join(installed, 'opt/Benchbook'),
    'benchbook-desktop',
  );
  return {
    electron,
    printed: stdout,
    unpacked,
    debian,
    installed,
    program,
    writable: (name) => ownedFolder(folder, name),
    start,
    open: (options) => openApp(start(options.program ?? program, withDebugging(options))),
    joinRestarted: (userData, before) => joinRestarted(userData, before),
    async [Symbol.asyncDispose]() {
      await display[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function withDebugging(options: StartOptions): StartOptions {
  return { ...options, args: ['--remote-debugging-port=0', ...(options.args ?? [])] };
}

/** Starts a program with few environment variables, so that those of the tests do not reach it. */
function startProgram(options: StartOptions & { program: string; home: string; display: Display }): Started {
  const { program, home, display, userData, args = [], env = {} } = options;
  const given = [program, ...args, `--user-data-dir=${userData}`, '--disable-gpu'];
  const { uid, gid } = unprivileged;
  const [command = '', ...rest] = isRoot
    ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...given]
    : given;
  const child = spawn(command, rest, {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      // The socket of the first start lies there.
      TMPDIR: home,
      ...(display.name === undefined ? {} : { DISPLAY: display.name }),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  return { process: child, ended, errors: () => errors };
}

/** Connects through the debugging protocol, because the fuses refuse the inspector that Playwright would use. */
async function openApp(started: Started): Promise<PackagedApp> {
  const kill = async (): Promise<void> => {
    started.process.kill('SIGKILL');
    await started.ended;
  };
  try {
    const address = await debuggingAddress(started);
    // After an end that nobody asked for, it is the page of before.
    await soon(() => pagesAt(address)).toContainEqual(expect.stringMatching(/^benchbook:\/\/app\//));
    const browser = await chromium.connectOverCDP(address, { timeout: 0 });
    const page = must(browser.contexts()[0]?.pages()[0], 'the page of the window');
    page.setDefaultTimeout(0);
    return {
      ...started,
      page,
      async [Symbol.asyncDispose]() {
        await kill();
        await browser.close();
      },
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Chromium writes its port into the folder for user data. */
async function joinRestarted(userData: string, before: Started): Promise<RestartedApp> {
  const file = join(userData, 'DevToolsActivePort');
  const earlier = readFileSync(file, 'utf8');
  await before.ended;
  // The file is empty for a moment before the port is in it.
  const port = (): string | undefined => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text === earlier ? undefined : /^(\d+)\n/.exec(text)?.[1];
  };
  await soon(port).toBeDefined();
  const address = `http://127.0.0.1:${port()}`;
  await soon(() => pagesAt(address)).toContain('benchbook://app/');
  const browser = await chromium.connectOverCDP(address, { timeout: 0 });
  const page = must(browser.contexts()[0]?.pages()[0], 'the page of the window');
  page.setDefaultTimeout(0);
  return {
    page,
    async [Symbol.asyncDispose]() {
      for (const pid of processesOf(userData)) process.kill(pid, 'SIGKILL');
      await browser.close();
    },
  };
}

/** The addresses of the program's pages. */
async function pagesAt(debugging: string): Promise<string[]> {
  const answer = await fetch(`http://${new URL(debugging).host}/json/list`);
  return ((await answer.json()) as { url: string }[]).map(({ url }) => url);
}

/** The address of the debugging protocol of a program started with `--remote-debugging-port=0`. */
export async function debuggingAddress({ process: child, ended, errors }: Started): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const look = (): void => {
    const [, address] = /^DevTools listening on (ws:\S+)$/m.exec(errors()) ?? [];
    if (address !== undefined) resolve(address);
  };
  child.stderr?.on('data', look);
  look();
  const early = ended.then((code): never => {
    throw new Error(`The program ended with ${code}: ${errors()}`);
  });
  return Promise.race([promise, early]);
}
