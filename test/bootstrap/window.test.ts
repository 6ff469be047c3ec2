import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, test } from 'vitest';

import { openWindow } from '#server/bootstrap/window.ts';
import { soon } from '#test/support/soon.ts';

const url = 'http://127.0.0.1:4020';
const browser = `Use the app in your browser at ${url}`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'benchbook-window-'));
  mkdirSync(join(root, 'node_modules/electron/dist'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Installs a file in place of Electron's program. */
function installElectron(write: (program: string) => void): void {
  const home = join(root, 'node_modules/electron');
  const program = join(home, 'dist/electron');
  writeFileSync(join(home, 'path.txt'), 'electron');
  write(program);
  chmodSync(program, 0o755);
}

/** What was said when it opened the window. */
function opened(): string[] {
  const said: string[] = [];
  openWindow(root, url, (line) => said.push(line));
  return said;
}

test('START-11 an Electron that cannot be downloaded is reported with the address', async () => {
  writeFileSync(join(root, 'node_modules/electron/install.js'), 'process.exit(1)');
  const said = opened();
  await soon(() => said).toEqual([
    'Downloading Electron for the window …',
    `Electron could not be downloaded. ${browser}`,
  ]);
});

test('START-11 an Electron that ends with an error is reported with the address', async () => {
  // Node ends with 1 where there is no program to run.
  installElectron((program) => copyFileSync(process.execPath, program));
  const said = opened();
  await soon(() => said).toEqual([`Electron ended with 1. ${browser}`]);
});

test('START-11 an Electron that does not start is reported with the address', async () => {
  installElectron((program) => writeFileSync(program, '#!/no/such/interpreter\n'));
  const said = opened();
  await soon(() => said).toEqual([`Electron did not start. ${browser}`]);
});
