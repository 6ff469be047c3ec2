import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { _electron, errors, type ElectronApplication, type Page } from 'playwright-core';
import type { Plugin } from 'vite';

import { buildDesktop } from '#desktop/build/build.ts';
import { findElectron, nodeTargetOf, type ElectronBinary } from '#desktop/build/electron-binary.ts';

import { hasDisplay, openDisplay, type Display } from './display.ts';
import { flipFile, type Flip } from './flip.ts';
import { isRoot, ownedFolder, unprivileged } from './unprivileged.ts';

/** An open window of the app. */
export interface DesktopApp extends AsyncDisposable {
  app: ElectronApplication;
  page: Page;
  /** What it wrote to its error output so far. */
  errors: () => string;
}

export interface LaunchOptions {
  env?: Record<string, string>;
  /** Starts a copy of the app with these changes, to show that a test notices them. */
  flips?: readonly Flip[];
}

/** The built app, and what is needed to run it. */
export interface Desktop extends AsyncDisposable {
  electron: ElectronBinary;
  /** The built app. */
  out: string;
  /** Makes a folder for user data that the app may write to. */
  userData(): string;
  /** Starts the app. `args`: further arguments. */
  launch(userData: string, args?: string[], options?: LaunchOptions): Promise<DesktopApp>;
  /** Starts the app without the inspector, for which Electron would wait at its end. */
  start(userData: string, args?: string[], options?: Pick<LaunchOptions, 'flips'>): ChildProcess;
}

export interface DesktopOptions {
  /** Plugins of Vite for the page. */
  plugins?: Plugin[];
  /** Names and texts of further files that the app serves. */
  pageFiles?: Record<string, string>;
  /** Writes the built app to a folder. */
  build?: typeof buildDesktop;
}

/** Only ends what hangs, also on a slow machine, ms. */
const patience = 180_000;

/**
 * Builds the app for the Electron that is at hand. Returns a sentence if there is none, or no display.
 */
export async function prepareDesktop({
  plugins = [],
  pageFiles = {},
  build = buildDesktop,
}: DesktopOptions = {}): Promise<Desktop | { missing: string }> {
  if (!hasDisplay()) return { missing: 'there is no display, and Xvfb is not installed' };
  const electron = findElectron();
  if ('missing' in electron) return electron;
  const display = await openDisplay();
  // The account that runs it cannot enter the folders of root.
  const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'benchbook-electron-'));
  chmodSync(folder, 0o755);
  const out = join(folder, 'out');
  await build(out, { plugins, nodeTarget: nodeTargetOf(electron.version) });
  for (const [name, text] of Object.entries(pageFiles)) writeFileSync(join(out, 'renderer', name), text);
  let count = 0;
  const userData = (): string => {
    count += 1;
    return ownedFolder(folder, `data-${count}`);
  };
  const home = ownedFolder(folder, 'home');
  return {
    electron,
    out,
    userData,
    launch: (data, args = [], { env = {}, flips = [] } = {}) =>
      launch({
        electron,
        display,
        folder,
        home,
        out: flippedCopy(folder, out, flips),
        data,
        args,
        env,
      }),
    start: (data, args = [], { flips = [] } = {}) => {
      const flipped = flippedCopy(folder, out, flips);
      const given = commandOf({ electron, display, folder, home, out: flipped, data, args, env: {} });
      const more = ['--remote-debugging-port=0'];
      return spawn(given.executablePath, [...given.args, ...more], { env: given.env, stdio: 'ignore' });
    },
    async [Symbol.asyncDispose]() {
      await display[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

interface Launching {
  electron: ElectronBinary;
  display: Display;
  folder: string;
  home: string;
  out: string;
  data: string;
  args: string[];
  env: Record<string, string>;
}

/** A copy of the built app with the changes, or the app itself if there are none. The copy shares the page. */
function flippedCopy(folder: string, out: string, flips: readonly Flip[]): string {
  if (flips.length === 0) return out;
  const copy = mkdtempSync(join(folder, 'flipped-'));
  chmodSync(copy, 0o755);
  for (const part of ['main', 'preload']) cpSync(join(out, part), join(copy, part), { recursive: true });
  symlinkSync(join(out, 'renderer'), join(copy, 'renderer'));
  for (const flip of flips) flipFile(copy, flip);
  return copy;
}

function commandOf({ electron, display, folder, home, out, data, args, env }: Launching) {
  return {
    executablePath: isRoot ? unprivilegedStarter(folder, electron.path) : electron.path,
    args: [join(out, 'main', 'main.cjs'), `--user-data-dir=${data}`, '--disable-gpu', ...args],
    env: {
      ...environment(),
      HOME: home,
      // That of the tests may be closed to the account that runs the app.
      TMPDIR: home,
      ...(display.name === undefined ? {} : { DISPLAY: display.name }),
      ...env,
    },
  };
}

async function launch(launching: Launching): Promise<DesktopApp> {
  const app = await connected(commandOf(launching));
  let output = '';
  app.process().stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  app.context().setDefaultTimeout(patience);
  const page = await app.firstWindow({ timeout: patience });
  return { app, page, errors: () => output, [Symbol.asyncDispose]: () => app.close() };
}

/**
 * Starts the app and connects to it. Playwright sometimes waits for ever although the app runs, so it tries once more after
 * half a minute. It ends the program that it gave up.
 */
async function connected(command: ReturnType<typeof commandOf>): Promise<ElectronApplication> {
  // Otherwise Playwright starts it with --no-sandbox.
  const options = { chromiumSandbox: true, ...command };
  try {
    return await _electron.launch({ timeout: 30_000, ...options });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    process.stderr.write(
      `Playwright didn't connect to the app within half a minute. Trying once more.\n${error.message}\n`,
    );
    return _electron.launch({ timeout: patience, ...options });
  }
}

/** A program that gives up the rights of root and becomes Electron, with the same process id. */
function unprivilegedStarter(folder: string, electron: string): string {
  const path = join(folder, 'electron.sh');
  const { uid, gid } = unprivileged;
  if (!readdirSync(folder).includes('electron.sh'))
    writeFileSync(
      path,
      `#!/bin/sh\nexec setpriv --reuid=${uid} --regid=${gid} --clear-groups "${electron}" "$@"\n`,
      { mode: 0o755 },
    );
  return path;
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
