import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Time limit for downloading Electron's binary, ms. */
const fetchLimitMs = 90_000;

export interface Window {
  close(): void;
}

/**
 * Opens the desktop app in Electron, if its binary exists or can be downloaded.
 *
 * - START-11 Where no window opens, because Electron cannot be downloaded, does not start, or ends with an error (without
 *   a display, for example), `npm start` says in one line at which address the same app is served.
 */
export function openWindow(root: string, url: string, say: (line: string) => void): Window {
  let child: ChildProcess | undefined;
  let closed = false;
  const launch = (binary: string): void => {
    child = spawn(binary, [root, `--server=${url}`], { stdio: 'ignore' });
    child.on('error', () => say(`Electron did not start. Use the app in your browser at ${url}`));
    child.on('exit', (code, signal) => {
      if (closed || code === 0) return;
      say(`Electron ended with ${signal ?? code}. Use the app in your browser at ${url}`);
    });
  };
  const present = electronBinary(root);
  if (present !== undefined) launch(present);
  else {
    say('Downloading Electron for the window …');
    void fetchElectron(root).then((fetched) => {
      if (closed) return;
      if (fetched === undefined)
        say(`Electron could not be downloaded. Use the app in your browser at ${url}`);
      else launch(fetched);
    });
  }
  return {
    close: () => {
      closed = true;
      child?.kill();
    },
  };
}

/** Path of the Electron binary, if it was downloaded. */
function electronBinary(root: string): string | undefined {
  const home = join(root, 'node_modules/electron');
  const pathFile = join(home, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const binary = join(home, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}

async function fetchElectron(root: string): Promise<string | undefined> {
  const script = join(root, 'node_modules/electron/install.js');
  if (!existsSync(script)) return undefined;
  const done = await new Promise<boolean>((resolve) => {
    const fetching = spawn(process.execPath, [script], { stdio: 'ignore', timeout: fetchLimitMs });
    fetching.on('error', () => resolve(false));
    fetching.on('exit', (code) => resolve(code === 0));
  });
  return done ? electronBinary(root) : undefined;
}
