import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { account, Computer, FaultyCalls, opened, pin, withPin } from './device-key-world.ts';

const secret = new Uint8Array(randomBytes(32));

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let computer: Computer;

beforeEach(async () => {
  temporary = await temporaryFolder('key');
  computer = new Computer(temporary.path);
});

afterEach(() => temporary[Symbol.asyncDispose]());

describe('an account', () => {
  it('ELECTRON-46 opens a key whose PIN was forgotten, without an effect on the count', async () => {
    const key = await computer.keyUnderPin();
    const device = computer.start();
    await device.keyUnlock(pin);
    const other = { ...account, account: 'bo' };
    await device.keyAddRecovery({ ...account, secret: new Uint8Array(32) });
    await device.keyAddRecovery({ ...other, secret });
    await device.keyAddRecovery({ ...account, secret });
    expect((await computer.stored()).wraps.recovery).toHaveLength(2);
    const later = computer.start();
    await computer.tryWrong(later, 5);
    expect(await later.keyState()).toMatchObject({ waitSeconds: 30, recoverable: [other, account] });
    const wrong = { state: 'locked', refusal: 'wrong', waitSeconds: 30 };
    expect(await later.keyRecover({ ...account, secret: new Uint8Array(32) })).toMatchObject(wrong);
    expect(await later.keyRecover({ ...account, account: 'eve', secret })).toMatchObject(wrong);
    expect(await later.keyRecover({ ...account, origin: 'https://eve.example', secret })).toMatchObject(
      wrong,
    );
    const before = await readFile(computer.path);
    const recovered = opened(await later.keyRecover({ ...account, secret }));
    expect([recovered.key, recovered.protection]).toEqual([key, null]);
    expect(await readFile(computer.path)).toEqual(before);
    expect(await later.keyState()).toEqual(recovered);
    const next = await later.keyProtect({ protection: 'pin', pin: 'another one' });
    expect(next.protection).toBe('pin');
    expect(opened(await computer.start().keyUnlock('another one')).key).toEqual(key);
  });

  it.each(['throws', 'garbage'] as const)(
    'ELECTRON-47 a replaced keyring that answers with %s locks the key, and an account opens it',
    async (broken) => {
      const first = computer.start();
      const { key } = opened(await first.keyState());
      await first.keyAddRecovery({ ...account, secret });
      const before = await readFile(computer.path);
      Object.assign(computer.keyring, { secret: 'second', broken });
      const device = computer.start();
      const lockedOut = { state: 'locked', reason: 'system', waitSeconds: 0, recoverable: [account] };
      expect(await device.keyState()).toMatchObject(lockedOut);
      expect(await device.keyUnlock(pin)).toMatchObject(lockedOut);
      await expect(device.keyCreate(withPin)).rejects.toMatchObject({ kind: 'refused' });
      expect(await readFile(computer.path)).toEqual(before);
      expect(await device.keyRecover({ ...account, secret })).toMatchObject({ key, protection: 'system' });
      expect(opened(await computer.start().keyState()).key).toEqual(key);
    },
  );

  it('ELECTRON-47 a keyring that is only away for a while opens the key again', async () => {
    const { key } = opened(await computer.start().keyState());
    computer.keyring.missing = true;
    const device = computer.start();
    expect(await device.keyState()).toMatchObject({ state: 'locked', reason: 'system' });
    computer.keyring.missing = false;
    expect(opened(await device.keyState()).key).toEqual(key);
  });

  it('ELECTRON-46 asks for a protection if there is no keyring to use', async () => {
    const first = computer.start();
    const { key } = opened(await first.keyState());
    await first.keyAddRecovery({ ...account, secret });
    computer.keyring.missing = true;
    const device = computer.start();
    const recovered = { key, protection: null, hasSystem: false };
    expect(await device.keyRecover({ ...account, secret })).toMatchObject(recovered);
    expect(await device.keyProtect({ protection: 'file' })).toMatchObject({ protection: 'file' });
  });
});

describe('setting aside', () => {
  it('ELECTRON-48 renames the journals and the key, deletes nothing, and begins anew', async () => {
    const journals = join(temporary.path, 'journals');
    const files: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await computer.keyUnderPin();
      files.push(await readFile(computer.path, 'utf8'));
      await mkdir(journals, { recursive: true });
      await writeFile(join(journals, 'segment'), String(round));
      expect(await computer.start().keySetAside()).toEqual({ state: 'new', hasSystem: false });
    }
    expect(computer.events).toHaveLength(3);
    const names = (await readdir(temporary.path)).filter((name) => name !== basename(computer.tries));
    const labels = ['2026-07-01', '2026-07-01-2', '2026-07-01-3'];
    expect(names.toSorted()).toEqual(
      labels
        .flatMap((label) => [`device-key-set-aside-${label}.json`, `journals-set-aside-${label}`])
        .toSorted(),
    );
    for (const [round, label] of labels.entries()) {
      const key = await readFile(join(temporary.path, `device-key-set-aside-${label}.json`), 'utf8');
      const segment = await readFile(join(temporary.path, `journals-set-aside-${label}`, 'segment'), 'utf8');
      expect([key, segment]).toEqual([files[round], String(round)]);
    }
  });

  it.each([
    ['damaged', '{"version":1'],
    ['newer', '{"version":2,"anything":true}'],
  ])('ELECTRON-48 works for a %s file, and a new device gets its key at once', async (kind, text) => {
    await writeFile(computer.path, text);
    const device = computer.start();
    expect(await device.keyState()).toEqual({ state: 'unreadable', kind });
    expect(await device.keySetAside()).toMatchObject({ state: 'open', protection: 'system' });
    const aside = join(temporary.path, 'device-key-set-aside-2026-07-01.json');
    expect(await readFile(aside, 'utf8')).toBe(text);
  });

  it('ELECTRON-48 is refused while the key is open, and before there is one', async () => {
    const device = computer.start();
    await device.keyState();
    await expect(device.keySetAside()).rejects.toMatchObject({ kind: 'refused' });
    await rm(computer.path);
    await rm(computer.copy);
    computer.keyring.missing = true;
    await expect(computer.start().keySetAside()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('ELECTRON-48 an interruption leaves the key locked, and the same date for the rest', async () => {
    await computer.keyUnderPin();
    // The first rename is that of the journals.
    for (let nth = 1; (await readdir(temporary.path)).includes('journals'); nth += 1) {
      await computer
        .start({ calls: new FaultyCalls({ nth, kind: 'dies' }) })
        .keySetAside()
        .catch(() => undefined);
    }
    expect(await computer.start().keyState()).toMatchObject({ state: 'locked' });
    await computer.start().keySetAside();
    expect((await readdir(temporary.path)).toSorted()).toEqual([
      'device-key-set-aside-2026-07-01.json',
      'journals-set-aside-2026-07-01',
      basename(computer.tries),
    ]);
  });
});
