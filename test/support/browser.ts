import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright-core';

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const shellNames = ['chrome-headless-shell', 'chromium-headless-shell'];

const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Maximum time for anything on a screen, ms, for slow and busy machines. */
export const browserPatience = 60_000;

/**
 * Chromium features that are turned off. Only the last such switch counts, so it repeats Playwright's list. The menu
 * of the address bar would be a separate page with its own process in every window: nearly half the time of opening
 * one.
 */
const features = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** A host name that resolves to this machine without being a secure origin. */
export const insecureHost = 'workshop.test';

/** Switches that keep a test browser from contacting anything but the test. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${features.join(',')}`,
  `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
];

/** Path of Chrome, Chromium or Edge: BENCHBOOK_BROWSER, an installed one, or Playwright's own. */
export function findBrowser(): string | undefined {
  const named = process.env['BENCHBOOK_BROWSER'];
  return [
    ...(named === undefined ? [] : [named]),
    ...onPath(names),
    ...fixedPlaces,
    chromium.executablePath(),
  ].find((path) => path !== '' && existsSync(path));
}

function onPath(programs: readonly string[]): string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((dir) => programs.map((name) => join(dir, name)));
}

/** Finds a browser or installs one: Playwright's download, or apt when running as root. Throws a plain sentence. */
export function ensureBrowser(say: (line: string) => void): string {
  const found = findBrowser();
  if (found !== undefined) return found;
  say('No Chrome, Chromium or Edge is installed; fetching one …');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
  if (findBrowser() === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    spawnSync('apt-get', ['update'], { stdio: 'ignore', timeout: 300_000 });
    for (const name of ['chromium', 'chromium-headless-shell'])
      spawnSync('apt-get', ['install', '-y', name], { stdio: 'ignore', timeout: 600_000 });
  }
  const fetched = findBrowser();
  if (fetched === undefined) {
    throw new Error(
      'The tests need Chrome, Chromium or Edge. Install one, or name its path in BENCHBOOK_BROWSER, and run the command again.',
    );
  }
  return fetched;
}

function launchOptions(options: LaunchOptions): LaunchOptions {
  return { executablePath: ensureBrowser(() => undefined), args: browserArguments, ...options };
}

const shared = new Map<string, Promise<Browser>>();

/**
 * The browser without a profile that all test files of this process share. Callers open their own contexts and close
 * them; the browser ends with the process.
 */
export function sharedBrowser(): Promise<Browser> {
  return launchedOnce(ensureBrowser(() => undefined));
}

/**
 * Like `sharedBrowser`, for screens only: Chromium without the window around the page (`chromium-headless-shell`), if
 * installed. It opens a page a third faster.
 */
export function screenBrowser(): Promise<Browser> {
  const shell = onPath(shellNames).find((path) => existsSync(path));
  return shell === undefined ? sharedBrowser() : launchedOnce(shell);
}

async function launchedOnce(executablePath: string): Promise<Browser> {
  const running = shared.get(executablePath);
  if (running !== undefined && !(await running).isConnected()) shared.delete(executablePath);
  const browser = shared.get(executablePath) ?? launchShared(executablePath);
  shared.set(executablePath, browser);
  return browser;
}

async function launchShared(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch(launchOptions({ executablePath }));
  browser.on('context', (context) => context.setDefaultTimeout(browserPatience));
  return browser;
}

/** A browser on a persistent profile folder. */
export async function launchProfile(
  dir: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(dir, {
    ...launchOptions({}),
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(browserPatience);
  return context;
}

/** Kills all processes of the browser with this profile together, so that none can clean up. */
export function killBrowser(folder: string): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
  const own = rows.filter((row) => row.includes(`--user-data-dir=${folder}`));
  for (const row of own) {
    const pid = Number.parseInt(row, 10);
    if (pid !== process.pid) process.kill(pid, 'SIGKILL');
  }
}
