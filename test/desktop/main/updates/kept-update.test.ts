import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Updater } from '#desktop/main/updates/updater.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { day, manifestFor, newPublisher, signed, today } from './signed.ts';
import { packageBytes, publisher, UpdateWorld } from './world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: UpdateWorld;

beforeEach(async () => {
  folder = await temporaryFolder('kept-update');
  world = new UpdateWorld(folder.path);
});
afterEach(() => folder[Symbol.asyncDispose]());

const deb = { by: 'administrator', kind: 'deb' } as const;

const statusOf = async (updater: Updater) => (await updater.state(0)).status;

/** 0.3.0 was found on a USB drive; then the folder of the world is what the server has. */
async function readyFromDrive(): Promise<Updater> {
  await world.offer({ version: '0.3.0' });
  const updater = world.start();
  await updater.lookInFolder(world.source());
  expect(await statusOf(updater)).toMatchObject({ phase: 'ready', version: '0.3.0' });
  await rm(world.usb, { recursive: true });
  await mkdir(world.usb);
  updater.follow('https://bench.example');
  return updater;
}

const serve = (file: string | Uint8Array): Promise<void> => writeFile(join(world.usb, 'update.json'), file);

/** A later version on the server, without its package. */
const serveLater = (): Promise<void> =>
  serve(signed(manifestFor(packageBytes, { version: '0.4.0' }), [publisher.privateKey]));

const elsewhere = manifestFor(packageBytes).artefacts.map((one) => ({ ...one, arch: 'arm64' as const }));

/** What a server, or whatever answers in its place, can do. */
const answers: [string, () => Promise<unknown>, string][] = [
  ['has an earlier version', () => world.offer({ version: '0.2.0' }), 'withdrawn'],
  ['answers with a login page', () => serve('<!doctype html><title>Guest network</title>'), 'malformed'],
  [
    'has an update of somebody else',
    () => serve(signed(manifestFor(packageBytes, { version: '0.4.0' }), [newPublisher().privateKey])),
    'signature',
  ],
  [
    'has an expired update',
    () => world.offer({ version: '0.4.0', expiresAt: new Date(today - day).toISOString() }),
    'expired',
  ],
  ['answers without end', () => serve(new Uint8Array(300 * 1024)), 'malformed'],
  ['lacks the package of a later version', serveLater, 'unreachable'],
  [
    'has a later version with another package',
    () => world.offer({ version: '0.4.0' }, new Uint8Array(packageBytes.length)),
    'package',
  ],
  [
    'has a later version for other computers only',
    () => world.offer({ version: '0.4.0', artefacts: elsewhere }),
    'no-package',
  ],
];

describe('an update that was verified', () => {
  it.each(answers)('UPDATE-12 stays ready if the server %s', async (_, answer, reason) => {
    const updater = await readyFromDrive();
    await answer();
    await updater.look(false);
    expect(await statusOf(updater)).toMatchObject({ phase: 'ready', version: '0.3.0', lookFailed: null });
    // Whoever asked is told.
    await updater.look();
    expect(await statusOf(updater)).toMatchObject({ phase: 'ready', version: '0.3.0', lookFailed: reason });
    expect(world.reported).toHaveLength(2);
    await updater.install();
    expect(world.installer.did).toEqual(['prepare 0.3.0 300000', 'activate 0.3.0']);
  });

  it('UPDATE-12 stays ready over a restart, until a later version is stored', async () => {
    const updater = await readyFromDrive();
    await serveLater();
    await updater.look(false);
    const next = world.start();
    await next.resume();
    expect(await statusOf(next)).toMatchObject({ phase: 'ready', version: '0.3.0', lookFailed: null });
    await world.offer({ version: '0.4.0' });
    await next.lookInFolder(world.source());
    expect(await statusOf(next)).toMatchObject({ phase: 'ready', version: '0.4.0' });
    await next.install();
    expect(world.installer.did).toEqual(['prepare 0.4.0 300000', 'activate 0.4.0']);
  });

  it('UPDATE-12 says that the chosen folder has no update, and keeps the one that is ready', async () => {
    const updater = await readyFromDrive();
    await updater.lookInFolder(world.source());
    expect(await statusOf(updater)).toMatchObject({ phase: 'ready', lookFailed: 'no-folder' });
  });

  it('UPDATE-12 stays there for the administrator', async () => {
    const manifest = manifestFor(packageBytes, { version: '0.3.0' });
    const artefacts = manifest.artefacts.map((one) => ({ ...one, kind: deb.kind, file: 'b_0.3.0.deb' }));
    await world.offer({ version: '0.3.0', artefacts });
    const updater = world.start({ installation: deb });
    await updater.lookInFolder(world.source());
    await serve('<!doctype html>');
    updater.follow('https://bench.example');
    await updater.look();
    expect(await statusOf(updater)).toMatchObject({
      phase: 'administrator',
      version: '0.3.0',
      lookFailed: 'malformed',
    });
  });

  it('UPDATE-12 a failed look does not keep an update that has expired', async () => {
    const updater = await readyFromDrive();
    await serve('<!doctype html>');
    world.now = today + 90 * day;
    await updater.look(false);
    expect(await statusOf(updater)).toMatchObject({ phase: 'failed', reason: 'malformed' });
    await updater.install();
    expect(world.installer.did).toEqual([]);
  });

  it.each([
    ['of another version', { version: '0.3.1' }],
    ['of another package', { version: '0.3.0', artefacts: manifestFor(new Uint8Array(7)).artefacts }],
  ])('UPDATE-8 is not installed if the stored manifest is one %s', async (_, change) => {
    const updater = await readyFromDrive();
    const other = signed(manifestFor(packageBytes, change), [publisher.privateKey]);
    await writeFile(join(world.folder, 'update.json'), other);
    await updater.install();
    expect(await statusOf(updater)).toMatchObject({ phase: 'failed', reason: 'package' });
    expect(world.installer.did).toEqual([]);
  });
});
