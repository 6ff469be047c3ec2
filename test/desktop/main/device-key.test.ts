import { argon2Sync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ipcCalls, type KeyState, type OpenKey } from '#desktop/ipc.ts';
import type { KeyRecord } from '#desktop/main/device-key-file.ts';
import type { DeviceKey, KeyEnvironment } from '#desktop/main/device-key.ts';
import { IpcRouter } from '#desktop/main/ipc.ts';
import { fingerprintOf } from '#desktop/main/key-wraps.ts';
import { hashPin, pinCost } from '#desktop/main/pin-hash.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { Computer, FaultyCalls } from './device-key-world.ts';
import { ourPage } from './electron-stand-in.ts';
import { recordingHandlers } from './recording-handlers.ts';

type Handlers = DeviceKey['handlers'];

const pin = '481516';
const withPin = { protection: 'pin', pin } as const;
const account = { origin: 'https://bench.example', account: 'ada' };
const secret = new Uint8Array(randomBytes(32));

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let computer: Computer;
let path: string;

beforeEach(async () => {
  temporary = await temporaryFolder('key');
  computer = new Computer(temporary.path);
  path = join(temporary.path, 'device-key.json');
});

afterEach(() => temporary[Symbol.asyncDispose]());

async function stored(): Promise<KeyRecord> {
  return JSON.parse(await readFile(path, 'utf8')) as KeyRecord;
}

function opened(state: KeyState): OpenKey {
  if (state.state !== 'open') throw new Error(`The key is ${state.state}`);
  return state;
}

/** A device with a key under a PIN. Resolves to the key. */
async function keyUnderPin(): Promise<Uint8Array> {
  computer.keyring.missing = true;
  return (await computer.start().keyCreate(withPin)).key;
}

describe('the first start of a device', () => {
  it('ELECTRON-41 makes a key under a working keyring without a question, and finds it again', async () => {
    const first = opened(await computer.start().keyState());
    expect(first).toMatchObject({ protection: 'system', hasSystem: true, recoverable: [] });
    expect(first.id).toBe(fingerprintOf(first.key));
    expect(ipcCalls.keyState.result.parse(first)).toEqual(first);
    expect(Object.keys((await stored()).wraps)).toEqual(['system', 'recovery']);
    expect(await readFile(path, 'utf8')).not.toContain(Buffer.from(first.key).toString('base64'));
    expect(await computer.start().keyState()).toEqual(first);
  });

  it.each(['basic_text', 'unknown'])('ELECTRON-41 %s is no keyring on Linux', async (backend) => {
    computer.keyring.getSelectedStorageBackend = () => backend;
    expect(await computer.start().keyState()).toEqual({ state: 'new', hasSystem: false });
    expect(await readdir(temporary.path)).toEqual([]);
    // Other systems do not have this function.
    computer.keyring.getSelectedStorageBackend = () => {
      throw new TypeError('safeStorage.getSelectedStorageBackend is not a function');
    };
    const mac = computer.start({ platform: 'darwin' });
    expect(await mac.keyState()).toMatchObject({ state: 'open', protection: 'system' });
  });

  it.each([
    ['is not available', 'isEncryptionAvailable', (): boolean => false],
    ['throws', 'isEncryptionAvailable', thrown],
    ['cannot encrypt', 'encryptString', thrown],
    ['does not open what it sealed', 'decryptString', (): string => 'other'],
  ] as const)('ELECTRON-41 a keyring that %s is not used', async (_what, name, call) => {
    Object.assign(computer.keyring, { [name]: call });
    expect(await computer.start().keyState()).toEqual({ state: 'new', hasSystem: false });
  });

  it('ELECTRON-41 a station keeps its key in a file of its account alone', async () => {
    const station = { keepInFile: true };
    const first = opened(await computer.start(station).keyState());
    expect(first.protection).toBe('file');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    expect(await computer.start(station).keyState()).toEqual(first);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([withPin, { protection: 'file' } as const])(
    'ELECTRON-42 makes the key that the person chose, once: $protection',
    async (choice) => {
      computer.keyring.missing = true;
      const device = computer.start();
      const first = await device.keyCreate(choice);
      expect(first).toMatchObject({ state: 'open', protection: choice.protection, hasSystem: false });
      expect(await device.keyState()).toEqual(first);
      await expect(device.keyCreate({ protection: 'file' })).rejects.toMatchObject({ kind: 'refused' });
      await expect(computer.start().keyCreate(withPin)).rejects.toMatchObject({ kind: 'refused' });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      // A keyring that appears later changes nothing.
      computer.keyring.missing = false;
      const later = computer.start();
      await later.keyUnlock(pin);
      expect(await later.keyState()).toEqual({ ...first, hasSystem: true });
    },
  );
});

describe('a PIN', () => {
  it('ELECTRON-43 opens the key after a restart, whichever way it was typed', async () => {
    computer.keyring.missing = true;
    const { key } = await computer.start().keyCreate({ protection: 'pin', pin: 'caf\u00e9 42' });
    const device = computer.start();
    const locked = { state: 'locked', reason: 'pin', refusal: null, waitSeconds: 0, recoverable: [] };
    expect(await device.keyState()).toMatchObject(locked);
    expect(await device.keyUnlock('cafe 42')).toMatchObject({ ...locked, refusal: 'wrong' });
    const unlocked = opened(await device.keyUnlock('cafe\u0301 42'));
    expect([unlocked.key, unlocked.protection]).toEqual([key, 'pin']);
    expect(await device.keyUnlock('anything')).toEqual(unlocked);
    expect((await stored()).wraps.pin).toMatchObject({ memory: 19_456, passes: 2, wrong: 0 });
  });

  it('ELECTRON-43 is hashed with argon2id, while the main process goes on', async () => {
    const salt = new Uint8Array(randomBytes(16));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    const hash = await hashPin(pin, salt, pinCost);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    // OpenSSL's implementation is another one.
    const parameters = { message: pin, nonce: salt, parallelism: 1, tagLength: 32, ...pinCost };
    expect(Buffer.from(hash)).toEqual(argon2Sync('argon2id', parameters));
  });

  it('ELECTRON-43 opens the key after a restart with the real hash too', async () => {
    computer.keyring.missing = true;
    const real = { environment: environment(hashPin) };
    const { key } = await computer.start(real).keyCreate(withPin);
    const device = computer.start(real);
    expect(await device.keyUnlock('481517')).toMatchObject({ state: 'locked', refusal: 'wrong' });
    expect(await device.keyUnlock(pin)).toMatchObject({ state: 'open', key });
  });

  it('ELECTRON-44 is slowed down after five wrong ones, more and more', async () => {
    await keyUnderPin();
    const device = computer.start();
    const waits: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const { waitSeconds } = locked(await device.keyUnlock('000001'));
      waits.push(waitSeconds);
      computer.clocks.pass(waitSeconds);
    }
    expect(waits).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('ELECTRON-44 is not tried before the wait is over, not even the right one', async () => {
    const key = await keyUnderPin();
    const device = computer.start();
    await tryWrong(device, 5);
    const hashed = computer.hashed;
    expect(await device.keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 30 });
    computer.clocks.pass(29.5);
    expect(await device.keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 1 });
    expect(computer.hashed).toBe(hashed);
    computer.clocks.pass(0.5);
    expect(opened(await device.keyUnlock(pin)).key).toEqual(key);
    await tryWrong(computer.start(), 4);
    expect(await computer.start().keyState()).toMatchObject({ waitSeconds: 0 });
  });

  it('ELECTRON-44 is counted before it is computed, so that ending the program does not undo it', async () => {
    await keyUnderPin();
    for (let count = 0; count < 5; count += 1) {
      const counts: number[] = [];
      const hashing = async (): Promise<Uint8Array> => {
        counts.push(must((await stored()).wraps.pin, 'a PIN').wrong);
        throw new Error('The program ends here');
      };
      await expect(
        computer.start({ environment: environment(hashing) }).keyUnlock('000001'),
      ).rejects.toThrow();
      expect(counts).toEqual([count + 1]);
    }
    expect(await computer.start().keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 30 });
  });

  it('ELECTRON-44 is not tried if it cannot be counted', async () => {
    await keyUnderPin();
    const calls = new FaultyCalls();
    calls.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(computer.start({ calls }).keyUnlock(pin)).rejects.toMatchObject({ kind: 'no-space' });
  });

  it('ELECTRON-44 many at once are tried one after the other', async () => {
    await keyUnderPin();
    const device = computer.start();
    const before = computer.hashed;
    await Promise.all(Array.from({ length: 20 }, () => device.keyUnlock('000001')));
    expect(computer.hashed - before).toBe(5);
  });

  it.each([
    ['back in the running program', -86_400, false, 900],
    ['ahead in the running program', 86_400, false, 900],
    ['back before a restart', -86_400, true, 900],
    ['ahead before a restart', 86_400, true, 30],
    ['not at all before a restart', 0, true, 900],
  ])('ELECTRON-44 the wait when the clock is set %s', async (_what, seconds, restarts, wait) => {
    await keyUnderPin();
    let device = computer.start();
    for (let count = 0; count < 10; count += 1)
      computer.clocks.pass(locked(await device.keyUnlock('000001')).waitSeconds % 900);
    computer.clocks.wall += seconds * 1000;
    if (restarts) device = computer.start();
    expect(await device.keyState()).toMatchObject({ waitSeconds: wait });
    // However the clock goes on, this process waits by the monotonic one.
    computer.clocks.wall -= 5_000_000;
    computer.clocks.running += (wait - 1) * 1000;
    expect(await device.keyState()).toMatchObject({ waitSeconds: 1 });
    computer.clocks.running += 1000;
    expect(await device.keyUnlock(pin)).toMatchObject({ state: 'open' });
  });

  it('ELECTRON-44 a wait that passed while the program was closed counts', async () => {
    await keyUnderPin();
    await tryWrong(computer.start(), 7);
    computer.clocks.pass(70);
    expect(await computer.start().keyState()).toMatchObject({ waitSeconds: 50 });
  });
});

describe('another protection', () => {
  it('ELECTRON-45 replaces the old one in the same write, and keeps the accounts', async () => {
    const device = computer.start();
    const { key } = opened(await device.keyState());
    await device.keyAddRecovery({ ...account, secret });
    const choices = [withPin, { protection: 'file' }, { protection: 'system' }, withPin] as const;
    for (const choice of choices) {
      const changed = await device.keyProtect(choice);
      expect(changed).toMatchObject({ key, protection: choice.protection, recoverable: [account] });
      const { wraps } = await stored();
      expect(Object.keys(wraps).toSorted()).toEqual([choice.protection, 'recovery'].toSorted());
      const again = computer.start();
      expect(opened(await again.keyUnlock(pin)).key).toEqual(key);
    }
  });

  it('ELECTRON-45 needs an open key, and a keyring that works', async () => {
    await keyUnderPin();
    const device = computer.start();
    await expect(device.keyProtect({ protection: 'file' })).rejects.toMatchObject({ kind: 'refused' });
    await expect(device.keyAddRecovery({ ...account, secret })).rejects.toMatchObject({ kind: 'refused' });
    await device.keyUnlock(pin);
    const before = await readFile(path);
    await expect(device.keyProtect({ protection: 'system' })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readFile(path)).toEqual(before);
  });
});

describe('an account', () => {
  it('ELECTRON-46 opens a key whose PIN was forgotten, without an effect on the count', async () => {
    const key = await keyUnderPin();
    const device = computer.start();
    await device.keyUnlock(pin);
    const other = { ...account, account: 'bo' };
    await device.keyAddRecovery({ ...account, secret: new Uint8Array(32) });
    await device.keyAddRecovery({ ...other, secret });
    await device.keyAddRecovery({ ...account, secret });
    expect((await stored()).wraps.recovery).toHaveLength(2);
    const later = computer.start();
    await tryWrong(later, 5);
    expect(await later.keyState()).toMatchObject({ waitSeconds: 30, recoverable: [other, account] });
    const wrong = { state: 'locked', refusal: 'wrong', waitSeconds: 30 };
    expect(await later.keyRecover({ ...account, secret: new Uint8Array(32) })).toMatchObject(wrong);
    expect(await later.keyRecover({ ...account, account: 'eve', secret })).toMatchObject(wrong);
    expect(await later.keyRecover({ ...account, origin: 'https://eve.example', secret })).toMatchObject(
      wrong,
    );
    const before = await readFile(path);
    const recovered = opened(await later.keyRecover({ ...account, secret }));
    expect([recovered.key, recovered.protection]).toEqual([key, null]);
    expect(await readFile(path)).toEqual(before);
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
      const before = await readFile(path);
      Object.assign(computer.keyring, { secret: 'second', broken });
      const device = computer.start();
      const lockedOut = { state: 'locked', reason: 'system', waitSeconds: 0, recoverable: [account] };
      expect(await device.keyState()).toMatchObject(lockedOut);
      expect(await device.keyUnlock(pin)).toMatchObject(lockedOut);
      await expect(device.keyCreate(withPin)).rejects.toMatchObject({ kind: 'refused' });
      expect(await readFile(path)).toEqual(before);
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
      await keyUnderPin();
      files.push(await readFile(path, 'utf8'));
      await mkdir(journals);
      await writeFile(join(journals, 'segment'), String(round));
      expect(await computer.start().keySetAside()).toEqual({ state: 'new', hasSystem: false });
    }
    expect(computer.events).toHaveLength(3);
    const names = await readdir(temporary.path);
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
    await writeFile(path, text);
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
    await rm(path);
    computer.keyring.missing = true;
    await expect(computer.start().keySetAside()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('ELECTRON-48 an interruption leaves the key locked, and the same date for the rest', async () => {
    await keyUnderPin();
    await mkdir(join(temporary.path, 'journals'));
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
    ]);
  });
});

describe('what is never revealed', () => {
  it('ELECTRON-49 no key, PIN, secret or path is in an error or a log', async () => {
    computer.keyring.missing = true;
    const { key } = await computer.start().keyCreate(withPin);
    const words: string[] = [];
    const ask = async (handlers: Partial<Handlers>, name: string, ...args: unknown[]): Promise<void> => {
      const router = new IpcRouter(recordingHandlers([], handlers), (_call, error) =>
        words.push(inspect(error, { depth: 9, showHidden: true }).replaceAll(temporary.path, '')),
      );
      const answer = await router.answer(ourPage, name, args);
      if (!answer.ok) expect(answer.message).not.toContain(temporary.path);
      words.push(answer.ok ? inspect((answer.result as KeyState | undefined)?.state) : inspect(answer));
    };
    const device = computer.start();
    const failing = computer.start({ calls: new FaultyCalls({ nth: 3, kind: 'fails' }) });
    const broken = computer.start({ environment: environment(() => Promise.reject(new Error('no thread'))) });
    const short = { ...account, secret: secret.slice(1) };
    await ask(device, 'keyCreate', withPin);
    await ask(device, 'keyCreate', { ...withPin, more: true });
    await ask(device, 'keyCreate', { protection: 'system', pin });
    await ask(device, 'keyProtect', withPin);
    await ask(device, 'keyUnlock', [pin]);
    await ask(device, 'keyUnlock', { pin });
    await ask(failing, 'keyUnlock', pin);
    await ask(broken, 'keyUnlock', pin);
    await ask(device, 'keyRecover', short);
    await ask(device, 'keyRecover', { ...account, origin: 'no', secret });
    await ask(device, 'keyAddRecovery', { ...account, secret });
    await ask(device, 'keyUnlock', pin);
    const text = words.join('\n');
    for (const hidden of [key, secret, short.secret]) {
      expect(text).not.toContain(Buffer.from(hidden).toString('base64'));
      expect(text).not.toContain(Buffer.from(hidden).toString('hex'));
      expect(text.replaceAll(/\s+/g, ' ')).not.toContain(hidden.slice(0, 4).join(', '));
    }
    expect(text).not.toContain(pin);
    expect(words.filter((word) => word.includes('Error')).length).toBeGreaterThan(5);
  });
});

function environment(hashing: KeyEnvironment['hashPin']): KeyEnvironment {
  return {
    now: computer.clocks.now,
    monotonic: computer.clocks.monotonic,
    randomBytes: (count: number) => new Uint8Array(randomBytes(count)),
    uuid: () => crypto.randomUUID(),
    hashPin: hashing,
  };
}

function locked(state: KeyState): Extract<KeyState, { state: 'locked' }> {
  if (state.state !== 'locked') throw new Error(`The key is ${state.state}`);
  return state;
}

/** Tries wrong PINs, each after its wait. */
async function tryWrong(device: Handlers, count: number): Promise<void> {
  for (let tried = 0; tried < count; tried += 1) {
    computer.clocks.pass(locked(await device.keyState()).waitSeconds);
    locked(await device.keyUnlock('000001'));
  }
}

function thrown(): never {
  throw new Error('The keyring is locked');
}
