import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { deviceCipher } from '#desktop/engine/platform/cipher.ts';
import { ipcCalls } from '#desktop/ipc.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { account, Computer, FaultyCalls, locked, opened, pin, withPin } from './device-key-world.ts';

const secret = new Uint8Array(randomBytes(32));

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let computer: Computer;
let journals: string;

beforeEach(async () => {
  temporary = await temporaryFolder('key-lost');
  computer = new Computer(temporary.path);
  journals = join(temporary.path, 'journals');
});

afterEach(() => temporary[Symbol.asyncDispose]());

/** Stores a journal as the page does, sealed if there is a key. */
async function work(key?: Uint8Array): Promise<void> {
  const disk = new Map<string, Uint8Array>();
  const random = (size: number): Uint8Array => new Uint8Array(randomBytes(size));
  let ids = 0;
  const journal = await openJournal(memoryStore({}, disk), {
    now: () => 1000,
    uuid: () => `id-${(ids += 1)}`,
    cipher: key && deviceCipher(key, random),
  });
  await journal.append([{ op: 'put', collection: 'drafts', id: 'd1', value: 'gearbox' }]);
  await journal.close();
  await mkdir(join(journals, 'benchbook'), { recursive: true });
  for (const [name, bytes] of disk) await writeFile(join(journals, 'benchbook', name), bytes);
}

async function loseBoth(): Promise<void> {
  await rm(computer.path);
  await rm(computer.copy, { force: true });
}

describe('a key file that is lost', () => {
  it('ELECTRON-42 ELECTRON-83 yields no second key while encrypted work is there', async () => {
    const { key } = opened(await computer.start().keyState());
    await work(key);
    const text = await readFile(computer.path, 'utf8');
    await loseBoth();
    for (const keepInFile of [false, true]) {
      const device = computer.start({ keepInFile });
      const state = await device.keyState();
      expect(state).toEqual({ state: 'unreadable', kind: 'lost' });
      expect(ipcCalls.keyState.result.parse(state)).toEqual(state);
      await expect(device.keyCreate(withPin)).rejects.toMatchObject({ kind: 'refused' });
    }
    expect(await readdir(temporary.path)).toEqual(['journals']);
    await writeFile(computer.path, text);
    expect(opened(await computer.start().keyState()).key).toEqual(key);
  });

  it('ELECTRON-48 can be set aside with its work, and then there is a new key', async () => {
    const { key } = opened(await computer.start().keyState());
    await work(key);
    await loseBoth();
    const next = opened(await computer.start().keySetAside());
    expect(next.key).not.toEqual(key);
    const aside = join(temporary.path, 'journals-set-aside-2026-07-01', 'benchbook');
    expect(await readdir(aside)).toEqual(['segment-00000001']);
  });

  it('ELECTRON-41 work of before encryption needs no key', async () => {
    await work();
    expect(await computer.start().keyState()).toMatchObject({ state: 'open', protection: 'system' });
  });

  it('ELECTRON-83 journals that the disk does not show yield no second key', async () => {
    await mkdir(join(journals, 'benchbook', 'segment-00000001'), { recursive: true });
    expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind: 'disk' });
  });
});

describe('the second copy of the key file', () => {
  it.each([
    ['missing', undefined],
    ['damaged', '{"version":1'],
    ['empty', ''],
  ])('ELECTRON-83 opens the work when the first is %s, and is its source', async (_what, text) => {
    const key = await computer.keyUnderPin();
    const first = computer.start();
    await first.keyUnlock(pin);
    await first.keyAddRecovery({ ...account, secret });
    await work(key);
    const before = await readFile(computer.path, 'utf8');
    await (text === undefined ? rm(computer.path) : writeFile(computer.path, text));
    const device = computer.start();
    expect(locked(await device.keyState()).recoverable).toEqual([account]);
    // Nothing shows yet that it is the right one.
    if (text !== undefined) expect(await readFile(computer.path, 'utf8')).toBe(text);
    expect(opened(await device.keyUnlock(pin)).key).toEqual(key);
    expect(await readFile(computer.path, 'utf8')).toBe(before);
    await rm(computer.copy);
    expect(opened(await computer.start().keyUnlock(pin)).key).toEqual(key);
  });

  it('ELECTRON-45 ELECTRON-83 changes with the first, and only its owner reads it', async () => {
    const device = computer.start();
    await device.keyState();
    for (const choice of [withPin, { protection: 'file' }, { protection: 'system' }] as const) {
      await device.keyProtect(choice);
      expect(await readFile(computer.copy, 'utf8')).toBe(await readFile(computer.path, 'utf8'));
      expect((await stat(computer.copy)).mode & 0o777).toBe(0o600);
    }
    await device.keyAddRecovery({ ...account, secret });
    expect(await readFile(computer.copy, 'utf8')).toBe(await readFile(computer.path, 'utf8'));
  });

  it('ELECTRON-45 under a replaced protection does not stay when it cannot be written', async () => {
    await computer.start({ keepInFile: true }).keyState();
    const calls = new FaultyCalls();
    const device = computer.start({ calls });
    calls.rename = async (from, to) => {
      if (to === computer.copy) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await new FaultyCalls().rename(from, to);
    };
    await device.keyProtect(withPin);
    await expect(readFile(computer.copy)).rejects.toMatchObject({ code: 'ENOENT' });
    // The next start writes it.
    await computer.start().keyUnlock(pin);
    expect(await readFile(computer.copy, 'utf8')).toBe(await readFile(computer.path, 'utf8'));
  });

  it.each([
    ['is missing', undefined],
    ['is damaged', '{'],
  ])('ELECTRON-83 is written again when it %s', async (_what, text) => {
    await computer.start().keyState();
    await (text === undefined ? rm(computer.copy) : writeFile(computer.copy, text));
    await computer.start().keyState();
    expect(await readFile(computer.copy, 'utf8')).toBe(await readFile(computer.path, 'utf8'));
  });

  it('ELECTRON-83 of another key means that file and work do not belong together', async () => {
    await computer.start().keyState();
    const text = await readFile(computer.copy, 'utf8');
    await computer.start().keyState();
    await loseBoth();
    await computer.start().keyState();
    await writeFile(computer.copy, text);
    const device = computer.start();
    expect(await device.keyState()).toEqual({ state: 'unreadable', kind: 'other' });
    expect(await readFile(computer.copy, 'utf8')).toBe(text);
    expect(await device.keySetAside()).toMatchObject({ state: 'open' });
    expect(
      await readFile(join(temporary.path, 'journals-set-aside-2026-07-01', 'device-key.json'), 'utf8'),
    ).toBe(text);
  });

  it.each([
    ['newer', '{"version":2}'],
    ['damaged', '{'],
  ])('ELECTRON-48 that is %s, without a first one, is reported and stays', async (kind, text) => {
    await mkdir(journals);
    await writeFile(computer.copy, text);
    expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind });
    expect(await readFile(computer.copy, 'utf8')).toBe(text);
  });

  it('ELECTRON-48 does not stand in for a file of a newer version', async () => {
    await computer.start().keyState();
    await writeFile(computer.path, '{"version":2}');
    expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind: 'newer' });
  });
});
