import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  makeSigningKey,
  manifestOf,
  publicKeyOf,
  readSigningKey,
  signManifest,
} from '#desktop/build/update-signing.ts';
import type { UpdateState } from '#shared/model/update-state.ts';
import { updatesFolder } from '#server/features/desktop-updates/folder.ts';
import { must } from '#shared/must.ts';
import type { UpdateManifest } from '#shared/model/desktop-update.ts';
import { soon } from '#test/support/soon.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { packageDesktop, type PackagedApp, type Packages } from './support/packaged-app.ts';
import { signInAt } from './support/sign-in.ts';
import { archiveOfVersion, unpackArchive } from './support/versions.ts';

const key = readSigningKey(makeSigningKey());
const day = 24 * 60 * 60 * 1000;

let packages: Packages | { missing: string };
let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The folder in which the app is installed. */
let root: string;
/** The archive of the later version. */
let archive: string;
let userData: string;

function made(): Packages {
  if ('missing' in packages) throw new Error(packages.missing);
  return packages;
}

const served = (name: string): string => join(updatesFolder(server.dataDir), name);

async function later(): Promise<UpdateManifest> {
  const now = Date.now();
  return manifestOf({ artefacts: join(archive, '..'), keys: [], releasedAt: now, expiresAt: now + day });
}

/** Offers an update; `bytes`: of its package, which otherwise is the real one. */
function offer(file: string, bytes?: string): void {
  rmSync(updatesFolder(server.dataDir), { recursive: true, force: true });
  mkdirSync(updatesFolder(server.dataDir));
  writeFileSync(served('update.json'), file);
  if (bytes === undefined) copyFileSync(archive, served(basename(archive)));
  else writeFileSync(served(basename(archive)), bytes);
}

/** Calls the main process, as the page does. */
async function call(page: Page, name: string, ...args: unknown[]): Promise<unknown> {
  const answer = await page.evaluate(async ([one, given]) => window.benchbook?.call(one, given), [
    name,
    args,
  ] as const);
  expect(answer).toMatchObject({ ok: true });
  return (answer as { result: unknown }).result;
}

const stateOf = async (page: Page): Promise<UpdateState> =>
  (await call(page, 'updateState', 0)) as UpdateState;

/** Looks at the server; returns the state after that. */
async function look(page: Page): Promise<UpdateState['status']> {
  const { number } = await stateOf(page);
  await call(page, 'updateLook');
  let known = number;
  for (;;) {
    const { number: next, status } = (await call(page, 'updateState', known)) as UpdateState;
    if (next > number && status.phase !== 'looking' && status.phase !== 'downloading') return status;
    known = next;
  }
}

function open(): Promise<PackagedApp> {
  const program = join(root, 'benchbook-desktop');
  return made().open({ program, userData, args: ['--keep-key-in-file'] });
}

const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path);

// The app is installed once, and each test continues with it.
describe('updates of the packaged app', { shuffle: false }, () => {
  beforeAll(async () => {
    folder = await temporaryFolder('desktop-updates');
    const keys = join(folder.path, 'update-keys.json');
    writeFileSync(keys, JSON.stringify([publicKeyOf(key)]));
    packages = await packageDesktop({ targets: ['dir'], env: { BENCHBOOK_UPDATE_KEYS: keys } });
    if ('missing' in packages)
      return void process.stderr.write(`\n*** UPDATES WERE NOT TESTED: ${packages.missing}. ***\n\n`);
    const { unpacked } = packages;
    const beside = join(unpacked, '..');
    const first = await archiveOfVersion(unpacked, beside, '0.1.0');
    root = unpackArchive(first, join(packages.writable('installed'), 'app'));
    rmSync(first);
    const made = await archiveOfVersion(unpacked, beside, '0.2.0');
    archive = join(beside, 'later', basename(made));
    mkdirSync(join(archive, '..'));
    copyFileSync(made, archive);
    userData = packages.writable('data');
    server = await startServer();
    await server.category('Bench Grinder');
    await makeGuide(await server.person('Ada'));
  });

  afterAll(async () => {
    if ('missing' in packages) return;
    await server[Symbol.asyncDispose]();
    await packages[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  beforeEach((context) => context.skip('missing' in packages));

  it('UPDATE-27 installs none of ten bad updates', async () => {
    const genuine = await later();
    const [artefact] = genuine.artefacts;
    const text = JSON.stringify(genuine);
    const sign = (change: object): string => signManifest(JSON.stringify({ ...genuine, ...change }), [key]);
    const other = readSigningKey(makeSigningKey());
    const withPackage = (bytes: string, change: object = {}): string => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return sign({ artefacts: [{ ...artefact, size: bytes.length, sha256, ...change }] });
    };
    await using app = await open();
    await signInAt(app.page, server.url);
    const bad: [string, string, string | undefined, string][] = [
      ['has no signature', text, '', 'malformed'],
      ['has the signature of another key', signManifest(text, [other]), '', 'signature'],
      ['was changed', sign({}).replace('0.2.0', '0.2.1'), '', 'signature'],
      ['is truncated', sign({}).slice(0, -40), '', 'malformed'],
      ['has expired', sign({ expiresAt: new Date(Date.now() - 1000).toISOString() }), '', 'expired'],
      ['is older', sign({ version: '0.0.9' }), '', 'withdrawn'],
      ['is for another app', sign({ app: 'org.example.app' }), '', 'other-app'],
      ['has a swapped package', sign({}), 'x'.repeat(must(artefact, 'a package').size), 'package'],
      ['has a truncated package', withPackage('abcdef'), 'abc', 'unreachable'],
      ['has no package for this computer', withPackage('abc', { platform: 'win32' }), 'abc', 'no-package'],
    ];
    const outcomes: [string, string][] = [];
    for (const [name, file, bytes] of bad) {
      offer(file, bytes);
      const status = await look(app.page);
      outcomes.push([name, status.phase === 'failed' ? status.reason : status.phase]);
      // Nothing is installed if the person insists.
      await call(app.page, 'updateInstall');
    }
    expect(outcomes).toEqual(bad.map(([name, , , reason]) => [name, reason]));
    // The signed package is not an archive: this shows only when it is installed.
    offer(withPackage('not an archive'), 'not an archive');
    expect(await look(app.page)).toMatchObject({ phase: 'ready' });
    await go(app.page, '/settings');
    await app.page.getByRole('button', { name: 'Restart and update' }).click();
    await app.page.getByText('The downloaded file isn’t the one the publisher signed').waitFor();
    expect(app.process.exitCode).toBeNull();
    expect(readdirSync(join(root, 'versions'))).toEqual(['0.1.0']);
    expect(readlinkSync(join(root, 'current'))).toBe('versions/0.1.0');
  });

  it('UPDATE-26 UPDATE-28 waits for the work order, then updates, and the waiting work is still there', async () => {
    const file = signManifest(JSON.stringify(await later()), [key]);
    offer(file);
    await using app = await open();
    const { page } = app;
    await go(page, '/');
    await page.getByText('Belt').first().click();
    await page.getByRole('button', { name: 'Start work order' }).first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Start work order' }).first().click();
    await page.getByLabel('Work order number').fill('WO-7');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const guide = await page.evaluate(() => location.pathname);

    await go(page, '/settings');
    await page.getByText('Version 0.1.0').waitFor();
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('Version 0.2.0 is ready').waitFor();
    await page
      .getByText('A work order is running. The update waits until it’s finished or paused.')
      .waitFor();
    await expect(page.getByRole('button', { name: 'Restart and update' }).isDisabled()).resolves.toBe(true);
    // A page that asks nevertheless is asked back.
    await call(page, 'updateInstall');
    await soon(async () => (await stateOf(page)).status).toMatchObject({ phase: 'ready', hold: 'order' });
    expect(readdirSync(join(root, 'versions'))).toEqual(['0.1.0']);

    await go(page, guide);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const ada = await server.session({ userid: 1 });
    const workLog = async (): Promise<string> => JSON.stringify((await ada('GET', '/work_log')).body);
    expect(await workLog()).not.toContain('WO-7');
    await go(page, '/settings');
    await page.getByText('The app closes and starts again.').waitFor();
    await page.getByRole('button', { name: 'Restart and update' }).click();

    await using updated = await made().joinRestarted(userData, app);
    expect(await app.ended).toBe(0);
    await go(updated.page, '/settings');
    await updated.page.getByText('Version 0.2.0').waitFor();
    await soon(() => readdirSync(root).toSorted()).toEqual([
      'before',
      'benchbook-desktop',
      'current',
      'versions',
    ]);
    expect(readlinkSync(join(root, 'current'))).toBe('versions/0.2.0');
    // A start that finds the app running does not count against a version on trial.
    writeFileSync(join(root, 'trial'), '0.2.0\n');
    expect(await made().start(join(root, 'benchbook-desktop'), { userData }).ended).toBe(0);
    expect(readdirSync(join(root, 'tried'))).toEqual([]);
    expect(await look(updated.page)).toMatchObject({ phase: 'current' });
    await go(updated.page, '/work-orders');
    await updated.page.getByText('WO-7').first().waitFor();
    await soon(workLog).toContain('WO-7');
  });

  it('UPDATE-23 the command says that the package installs updates', () => {
    expect(made().printed).toContain('which installs updates: ');
  });
});
