import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { day, today } from './signed.ts';
import { packageBytes, UpdateWorld } from './world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: UpdateWorld;

beforeEach(async () => {
  folder = await temporaryFolder('updates');
  world = new UpdateWorld(folder.path);
});
afterEach(() => folder[Symbol.asyncDispose]());

const name = 'benchbook-desktop-0.2.0-linux-x64.tar.gz';
const stored = (): string => join(world.folder, 'packages', name);

async function ready() {
  await world.offer();
  const updater = world.start();
  await updater.lookInFolder(world.source());
  expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', version: '0.2.0', hold: null });
  return updater;
}

describe('the updater', () => {
  it('UPDATE-6 stores exactly the signed bytes, installs them when the person wants it, and starts again', async () => {
    const updater = await ready();
    expect(new Uint8Array(await readFile(stored()))).toEqual(packageBytes);
    expect((await stat(stored())).mode & 0o777).toBe(0o600);
    expect(world.installer.did).toEqual([]);
    await updater.install();
    expect(world.installer.did).toEqual(['prepare 0.2.0 300000', 'activate 0.2.0']);
    expect(world.restarts).toEqual(['/opt/app/benchbook-desktop']);
  });

  it.each([
    ['has other bytes', packageBytes.map((byte) => byte ^ 1)],
    ['differs in the last byte', packageBytes.map((byte, at) => (at === packageBytes.length - 1 ? 1 : byte))],
    ['is longer', new Uint8Array(packageBytes.length + 1)],
    ['is empty', new Uint8Array()],
    ['is truncated', packageBytes.slice(0, -1)],
  ])('UPDATE-7 installs nothing if the package %s', async (_, bytes) => {
    await world.offer({}, bytes);
    const updater = world.start();
    await updater.lookInFolder(world.source());
    const { status } = await updater.state(0);
    expect(status).toMatchObject({ phase: 'failed' });
    expect(['package', 'unreachable']).toContain('reason' in status ? status.reason : '');
    expect((await readdir(join(world.folder, 'packages'))).filter((one) => !one.endsWith('.part'))).toEqual(
      [],
    );
    await updater.install();
    expect(world.installer.did).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'changed',
      () =>
        writeFile(
          stored(),
          packageBytes.map((byte) => byte ^ 1),
        ),
    ],
    ['truncated', () => truncate(stored(), 1000)],
    ['removed', () => rm(stored())],
    [
      'replaced by a link',
      async () => {
        await writeFile(join(folder.path, 'elsewhere'), packageBytes);
        await rm(stored());
        await symlink(join(folder.path, 'elsewhere'), stored());
      },
    ],
  ])('UPDATE-8 installs nothing if the stored package was %s', async (_, change) => {
    const updater = await ready();
    await change();
    await updater.install();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'package' });
    expect(world.installer.did).toEqual([]);
    expect(world.restarts).toEqual([]);
  });

  it('UPDATE-8 installs nothing if the package is changed while it is installed', async () => {
    const updater = await ready();
    world.installer.meanwhile = () =>
      writeFile(
        stored(),
        packageBytes.map((byte) => byte ^ 1),
      );
    await updater.install();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'package' });
    expect(world.installer.did).toEqual([]);
  });

  it('UPDATE-8 verifies the manifest again before the installation', async () => {
    const updater = await ready();
    world.now = today + 90 * day;
    await updater.install();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'expired' });
    expect(world.installer.did).toEqual([]);
  });

  it.each(['order', 'unsaved'] as const)('UPDATE-9 waits while the page says: %s', async (hold) => {
    const updater = await ready();
    world.hold = hold;
    await updater.install();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', hold });
    expect(world.installer.did).toEqual([]);
    world.hold = null;
    await updater.install();
    expect(world.restarts).toHaveLength(1);
  });

  it('UPDATE-9 ELECTRON-87 restarts later if the app was kept open because it could not save everything', async () => {
    const updater = await ready();
    await updater.install();
    updater.keptOpen();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', hold: 'unsaved' });
    await updater.install();
    expect(world.installer.did).toEqual(['prepare 0.2.0 300000', 'activate 0.2.0']);
    expect(world.restarts).toHaveLength(2);
  });

  it('UPDATE-9 asks the page again right before it starts the new version', async () => {
    const updater = await ready();
    world.installer.meanwhile = async () => void (world.hold = 'order');
    await updater.install();
    expect(world.installer.did).toEqual(['prepare 0.2.0 300000', 'discard 0.2.0']);
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', hold: 'order' });
    expect(world.restarts).toEqual([]);
  });

  it('UPDATE-9 a page that does not answer keeps the update waiting', async () => {
    const updater = await ready();
    world.hold = undefined;
    const installing = updater.install();
    await soon(async () => (await updater.state(0)).status.phase).toBe('asking');
    updater.answer(77, null);
    world.timers.findLast(({ ms }) => ms === 15_000)?.elapse();
    await installing;
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', hold: 'silence' });
    expect(world.installer.did).toEqual([]);
  });

  it('UPDATE-10 a download that broke off continues where it ended', async () => {
    const { artefacts } = await world.offer();
    const part = join(world.folder, 'packages', `${artefacts[0]?.sha256}.part`);
    await mkdir(join(world.folder, 'packages'), { recursive: true });
    await writeFile(part, packageBytes.slice(0, 200_000));
    const asked: [string, number][] = [];
    const updater = world.start();
    const source = world.source();
    await updater.lookInFolder({
      ...source,
      read: (file, from) => {
        asked.push([file, from]);
        return source.read(file, from);
      },
    });
    expect(asked).toEqual([
      ['update.json', 0],
      [name, 200_000],
    ]);
    expect(new Uint8Array(await readFile(stored()))).toEqual(packageBytes);
  });

  it('UPDATE-10 bytes of another server that were stored before are replaced', async () => {
    const { artefacts } = await world.offer();
    await mkdir(join(world.folder, 'packages'), { recursive: true });
    await writeFile(join(world.folder, 'packages', `${artefacts[0]?.sha256}.part`), new Uint8Array(200_000));
    const updater = world.start();
    await updater.lookInFolder(world.source());
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready' });
  });

  it('UPDATE-11 a stored update is ready after the next start, and is gone once it is installed', async () => {
    await ready();
    await rm(world.usb, { recursive: true });
    const next = world.start();
    await next.resume();
    expect((await next.state(0)).status).toMatchObject({ phase: 'ready', version: '0.2.0' });
    const updated = world.start({ installed: '0.2.0' });
    await updated.resume();
    expect((await updated.state(0)).status).toMatchObject({ phase: 'current' });
    expect(await readdir(join(world.folder, 'packages'))).toEqual([]);
    expect((await readdir(world.folder)).toSorted()).toEqual(['packages', 'state.json']);
  });

  it('UPDATE-11 a stored update that has expired meanwhile is removed', async () => {
    await ready();
    world.now = today + 90 * day;
    const next = world.start();
    await next.resume();
    expect((await next.state(0)).status).toMatchObject({ phase: 'current' });
    expect(await readdir(join(world.folder, 'packages'))).toEqual([]);
  });

  it('UPDATE-3 a server that withdraws its update counts as out of date once the update has expired', async () => {
    const updater = await ready();
    updater.follow('https://bench.example');
    await rm(world.usb, { recursive: true });
    await updater.look();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready' });
    world.now = today + 90 * day;
    await updater.look();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'expired' });
  });

  it('UPDATE-3 remembers what was offered and what did not start', async () => {
    const updater = await ready();
    await world.offer({ version: '0.1.5' });
    await updater.lookInFolder(world.source());
    expect((await updater.state(0)).status).toMatchObject({ phase: 'ready', lookFailed: 'withdrawn' });

    world.installer.left = '0.2.0';
    const wentBack = world.start();
    await wentBack.resume();
    await wentBack.confirm();
    expect(await wentBack.state(0)).toMatchObject({ left: '0.2.0', status: { reason: 'broken' } });
    await wentBack.install();
    await world.offer();
    wentBack.follow('https://bench.example');
    await wentBack.look(false);
    expect((await wentBack.state(0)).status).toMatchObject({ phase: 'failed', reason: 'broken' });
    expect(world.installer.did).toEqual([]);
    await world.offer({ version: '0.2.1' });
    await wentBack.look(false);
    expect((await wentBack.state(0)).status).toMatchObject({ phase: 'ready', version: '0.2.1' });
  });

  it('UPDATE-3 a version that did not start is offered again when somebody asks', async () => {
    await ready();
    world.installer.left = '0.2.0';
    const wentBack = world.start();
    await wentBack.resume();
    await wentBack.confirm();
    await wentBack.lookInFolder(world.source());
    expect((await wentBack.state(0)).status).toMatchObject({ phase: 'ready', version: '0.2.0' });
    world.installer.left = null;
    // It still is after the next start, and for the daily look.
    const next = world.start();
    await next.resume();
    expect((await next.state(0)).status).toMatchObject({ phase: 'ready', version: '0.2.0' });
    next.follow('https://bench.example');
    await next.look(false);
    await next.install();
    expect(world.installer.did).toEqual(['prepare 0.2.0 300000', 'activate 0.2.0']);
  });

  it('UPDATE-3 a clock that was set back does not revive an expired update', async () => {
    const released = new Date(today + 200 * day).toISOString();
    await world.offer({ releasedAt: released, expiresAt: new Date(today + 300 * day).toISOString() });
    const updater = world.start();
    await updater.lookInFolder(world.source());
    world.now = today;
    await world.offer({ version: '0.3.0' });
    await updater.lookInFolder(world.source());
    expect((await updater.state(0)).status).toMatchObject({ version: '0.2.0', lookFailed: 'expired' });
  });

  it('UPDATE-12 looks a few minutes after the start and then daily, at times that differ', async () => {
    const updater = world.start();
    updater.follow('https://bench.example');
    updater.follow('https://bench.example');
    const [first] = world.timers.filter(({ ms }) => ms < 10 * 60_000);
    expect(first?.ms).toBe(90_000);
    await world.offer();
    first?.elapse();
    await soon(async () => (await updater.state(0)).status.phase).toBe('ready');
    const daily = world.timers.filter(({ ms }) => ms === 24 * 60 * 60_000);
    expect(daily).toHaveLength(1);
    await rm(world.usb, { recursive: true });
    await mkdir(join(world.usb, 'update.json'), { recursive: true });
    daily[0]?.elapse();
    await soon(() => world.timers.filter(({ ms }) => ms === 24 * 60 * 60_000)).toHaveLength(2);
    await soon(async () => (await updater.state(0)).status.phase).toBe('ready');
  });

  it('UPDATE-13 without a key of the publisher nothing is looked up', async () => {
    await world.offer();
    const updater = world.start({ keys: [] });
    updater.follow('https://bench.example');
    await updater.look();
    await updater.lookInFolder(world.source());
    await updater.install();
    expect((await updater.state(0)).status).toEqual({ phase: 'off' });
    expect(world.timers.filter(({ ms }) => ms !== 60 * 60_000)).toEqual([]);
  });

  it('UPDATE-14 an administrator gets the verified package, and other computers get the address', async () => {
    const manifest = await world.offer();
    const [artefact] = manifest.artefacts;
    const artefacts =
      artefact === undefined ? [] : [{ ...artefact, kind: 'deb' as const, file: 'b_0.2.0.deb' }];
    await world.offer({ artefacts });
    const debian = world.start({ installation: { by: 'administrator', kind: 'deb' } });
    await debian.lookInFolder(world.source());
    const path = join(world.folder, 'packages/b_0.2.0.deb');
    expect((await debian.state(0)).status).toMatchObject({ phase: 'administrator', path });
    expect(new Uint8Array(await readFile(path))).toEqual(packageBytes);
    await debian.install();
    expect(world.installer.did).toEqual([]);

    const source = { ...world.source(), address: (file: string) => `https://bench.example/${file}` };
    const elsewhere = world.start({ installation: { by: 'person', kinds: ['deb'] } });
    await elsewhere.lookInFolder(source);
    const address = 'https://bench.example/b_0.2.0.deb';
    expect((await elsewhere.state(0)).status).toMatchObject({ phase: 'download', address });

    const app = world.start();
    await app.lookInFolder(world.source());
    expect((await app.state(0)).status).toMatchObject({ phase: 'failed', reason: 'no-package' });
  });

  it('UPDATE-15 says what is wrong with a folder, a full disk and a folder that cannot be written', async () => {
    const updater = world.start();
    await updater.lookInFolder(world.source());
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'no-folder' });
    await world.offer();
    await mkdir(world.folder, { recursive: true });
    await writeFile(join(world.folder, 'packages'), 'a file');
    await updater.lookInFolder(world.source());
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'disk' });
    await rm(join(world.folder, 'packages'));
    world.installer.prepare = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await updater.lookInFolder(world.source());
    await updater.install();
    expect((await updater.state(0)).status).toMatchObject({ phase: 'failed', reason: 'no-space' });
    await chmod(world.folder, 0o700);
  });
});
