import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

/** Installs a program in place of Electron. */
function installElectron(script: string): void {
  const home = join(root, 'node_modules/electron');
  writeFileSync(join(home, 'path.txt'), 'electron');
  writeFileSync(join(home, 'dist/electron'), script);
  chmodSync(join(home, 'dist/electron'), 0o755);
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

test.skipIf(process.platform === 'win32')(
  'START-11 an Electron that ends with an error or does not start is reported with the address',
  async () => {
    installElectron('#!/bin/sh\nexit 7\n');
    const ended = opened();
    await soon(() => ended).toEqual([`Electron ended with 7. ${browser}`]);
    installElectron('#!/no/such/interpreter\n');
    const failed = opened();
    await soon(() => failed).toEqual([`Electron did not start. ${browser}`]);
  },
);
