import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { KeyFileCalls } from '#desktop/main/key-file-calls.ts';
import { releaseBallasts } from '#desktop/main/journals.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { account, Computer, FaultyCalls, locked, opened, pin, withPin } from './device-key-world.ts';

const secret = new Uint8Array(32).fill(7);

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let computer: Computer;

beforeEach(async () => {
  temporary = await temporaryFolder('key-full');
  computer = new Computer(temporary.path);
});

afterEach(() => temporary[Symbol.asyncDispose]());

/** A disk without space: only what is there already can be overwritten. `copies`: not even that. */
function fullDisk({ copies = false, isFull = (): boolean => true } = {}): KeyFileCalls {
  const real = new FaultyCalls();
  const made = new WeakSet();
  return {
    read: real.read,
    sync: real.sync,
    rename: real.rename,
    remove: real.remove,
    async open(path, flags, mode) {
      const file = await real.open(path, flags, mode);
      if (flags.startsWith('w')) made.add(file);
      return file;
    },
    async write(file, bytes) {
      if (isFull() && (copies || made.has(file))) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await real.write(file, bytes);
    },
  };
}

describe('on a full disk', () => {
  it('ELECTRON-84 the right PIN opens the work', async () => {
    const key = await computer.keyUnderPin();
    expect(opened(await computer.start({ calls: fullDisk() }).keyUnlock(pin)).key).toEqual(key);
  });

  it('ELECTRON-44 ELECTRON-84 wrong PINs are counted, over restarts too', async () => {
    const key = await computer.keyUnderPin();
    for (let count = 0; count < 5; count += 1)
      await computer.start({ calls: fullDisk() }).keyUnlock('000001');
    const device = computer.start({ calls: fullDisk() });
    expect(await device.keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 30 });
    computer.clocks.pass(30);
    expect(opened(await device.keyUnlock(pin)).key).toEqual(key);
    expect(await computer.start().keyState()).toMatchObject({ waitSeconds: 0 });
  });

  it('ELECTRON-84 the reserve of the journals is released where nothing can be overwritten', async () => {
    const key = await computer.keyUnderPin();
    const journal = join(temporary.path, 'journals', 'benchbook');
    await mkdir(journal);
    await writeFile(join(journal, 'ballast.bin'), 'reserve');
    let isFull = true;
    const released: boolean[] = [];
    const options = {
      calls: fullDisk({ copies: true, isFull: () => isFull }),
      freeReserve: async () => {
        const freed = await releaseBallasts(join(temporary.path, 'journals'));
        released.push(freed);
        if (freed) isFull = false;
        return freed;
      },
    };
    expect(opened(await computer.start(options).keyUnlock(pin)).key).toEqual(key);
    // Without a reserve no PIN is tried, because it cannot be counted.
    isFull = true;
    const hashed = computer.hashed;
    await expect(computer.start(options).keyUnlock(pin)).rejects.toMatchObject({ kind: 'no-space' });
    expect(computer.hashed).toBe(hashed);
    expect(released).toEqual([true, false]);
  });

  it('ELECTRON-46 ELECTRON-84 an account opens the work, and a new protection can be chosen', async () => {
    const key = await computer.keyUnderPin();
    const first = computer.start();
    await first.keyUnlock(pin);
    await first.keyAddRecovery({ ...account, secret });
    let isFull = true;
    const device = computer.start({
      calls: fullDisk({ isFull: () => isFull }),
      freeReserve: async () => !(isFull = false),
    });
    expect(opened(await device.keyRecover({ ...account, secret })).key).toEqual(key);
    expect(await device.keyProtect({ ...withPin, pin: 'another one' })).toMatchObject({ key });
    expect(opened(await computer.start().keyUnlock('another one')).key).toEqual(key);
  });
});

describe('the count of wrong PINs', () => {
  it('ELECTRON-44 is overwritten in place, and the record of the key stays as it is', async () => {
    await computer.keyUnderPin();
    const before = await readFile(computer.path, 'utf8');
    const { length } = await readFile(computer.tries);
    await computer.tryWrong(computer.start(), 7);
    expect((await readFile(computer.tries)).length).toBe(length);
    expect(await readFile(computer.path, 'utf8')).toBe(before);
  });

  it('ELECTRON-44 of an earlier version goes on', async () => {
    await computer.keyUnderPin();
    const record = await computer.stored();
    const wrong = { ...record.wraps.pin, wrong: 6, at: computer.clocks.wall };
    await writeFile(computer.path, JSON.stringify({ ...record, wraps: { ...record.wraps, pin: wrong } }));
    await rm(computer.tries);
    const device = computer.start();
    expect(locked(await device.keyState()).waitSeconds).toBe(60);
    computer.clocks.pass(60);
    expect(locked(await device.keyUnlock('000001')).waitSeconds).toBe(120);
    computer.clocks.pass(120);
    opened(await device.keyUnlock(pin));
    expect(locked(await computer.start().keyState()).waitSeconds).toBe(0);
  });

  it.each(['{', 'x'.repeat(128), '{"salt":1}'])(
    'ELECTRON-44 means a wait when it is damaged: %s',
    async (text) => {
      await computer.keyUnderPin();
      await writeFile(computer.tries, text);
      const device = computer.start();
      expect(locked(await device.keyUnlock(pin))).toMatchObject({ refusal: 'early', waitSeconds: 30 });
      computer.clocks.pass(30);
      expect(await device.keyUnlock(pin)).toMatchObject({ state: 'open' });
    },
  );

  it('ELECTRON-44 begins anew with a new PIN', async () => {
    await computer.keyUnderPin();
    const device = computer.start();
    await computer.tryWrong(device, 6);
    computer.clocks.pass(900);
    await device.keyUnlock(pin);
    await device.keyProtect({ ...withPin, pin: 'another one' });
    expect(locked(await computer.start().keyState()).waitSeconds).toBe(0);
  });
});
