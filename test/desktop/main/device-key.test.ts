import { argon2Sync, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ipcCalls, type KeyState } from '#desktop/ipc.ts';
import { IpcRouter } from '#desktop/main/ipc.ts';
import { fingerprintOf } from '#desktop/main/key-wraps.ts';
import { hashPin, pinCost } from '#desktop/main/pin-hash.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import {
  account,
  Computer,
  FaultyCalls,
  locked,
  opened,
  pin,
  withPin,
  type Handlers,
} from './device-key-world.ts';
import { ourPage } from './electron-stand-in.ts';
import { recordingHandlers } from './recording-handlers.ts';

const secret = new Uint8Array(randomBytes(32));

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let computer: Computer;

beforeEach(async () => {
  temporary = await temporaryFolder('key');
  computer = new Computer(temporary.path);
});

afterEach(() => temporary[Symbol.asyncDispose]());

describe('the first start of a device', () => {
  it('ELECTRON-41 makes a key under a working keyring without a question, and finds it again', async () => {
    const first = opened(await computer.start().keyState());
    expect(first).toMatchObject({ protection: 'system', hasSystem: true, recoverable: [] });
    expect(first.id).toBe(fingerprintOf(first.key));
    expect(ipcCalls.keyState.result.parse(first)).toEqual(first);
    expect(Object.keys((await computer.stored()).wraps)).toEqual(['system', 'recovery']);
    expect(await readFile(computer.path, 'utf8')).not.toContain(Buffer.from(first.key).toString('base64'));
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
    expect((await stat(computer.path)).mode & 0o777).toBe(0o600);
    await chmod(computer.path, 0o644);
    expect(await computer.start(station).keyState()).toEqual(first);
    expect((await stat(computer.path)).mode & 0o777).toBe(0o600);
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
      expect((await stat(computer.path)).mode & 0o777).toBe(0o600);
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
    expect((await computer.stored()).wraps.pin).toMatchObject({ memory: 19_456, passes: 2, wrong: 0 });
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
    const real = { environment: computer.environment(hashPin) };
    const { key } = await computer.start(real).keyCreate(withPin);
    const device = computer.start(real);
    expect(await device.keyUnlock('481517')).toMatchObject({ state: 'locked', refusal: 'wrong' });
    expect(await device.keyUnlock(pin)).toMatchObject({ state: 'open', key });
  });

  it('ELECTRON-44 is slowed down after five wrong ones, more and more', async () => {
    await computer.keyUnderPin();
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
    const key = await computer.keyUnderPin();
    const device = computer.start();
    await computer.tryWrong(device, 5);
    const hashed = computer.hashed;
    expect(await device.keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 30 });
    computer.clocks.pass(29.5);
    expect(await device.keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 1 });
    expect(computer.hashed).toBe(hashed);
    computer.clocks.pass(0.5);
    expect(opened(await device.keyUnlock(pin)).key).toEqual(key);
    await computer.tryWrong(computer.start(), 4);
    expect(await computer.start().keyState()).toMatchObject({ waitSeconds: 0 });
  });

  it('ELECTRON-44 is counted before it is computed, so that ending the program does not undo it', async () => {
    await computer.keyUnderPin();
    for (let count = 0; count < 5; count += 1) {
      const counts: number[] = [];
      const hashing = async (): Promise<Uint8Array> => {
        counts.push(await computer.counted());
        throw new Error('The program ends here');
      };
      await expect(
        computer.start({ environment: computer.environment(hashing) }).keyUnlock('000001'),
      ).rejects.toThrow();
      expect(counts).toEqual([count + 1]);
    }
    expect(await computer.start().keyUnlock(pin)).toMatchObject({ refusal: 'early', waitSeconds: 30 });
  });

  it('ELECTRON-44 is not tried if it cannot be counted', async () => {
    await computer.keyUnderPin();
    const calls = new FaultyCalls();
    calls.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(computer.start({ calls }).keyUnlock(pin)).rejects.toMatchObject({ kind: 'no-space' });
  });

  it('ELECTRON-44 many at once are tried one after the other', async () => {
    await computer.keyUnderPin();
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
    await computer.keyUnderPin();
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
    await computer.keyUnderPin();
    await computer.tryWrong(computer.start(), 7);
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
      const { wraps } = await computer.stored();
      expect(Object.keys(wraps).toSorted()).toEqual([choice.protection, 'recovery'].toSorted());
      const again = computer.start();
      expect(opened(await again.keyUnlock(pin)).key).toEqual(key);
    }
  });

  it('ELECTRON-45 needs an open key, and a keyring that works', async () => {
    await computer.keyUnderPin();
    const device = computer.start();
    await expect(device.keyProtect({ protection: 'file' })).rejects.toMatchObject({ kind: 'refused' });
    await expect(device.keyAddRecovery({ ...account, secret })).rejects.toMatchObject({ kind: 'refused' });
    await device.keyUnlock(pin);
    const before = await readFile(computer.path);
    await expect(device.keyProtect({ protection: 'system' })).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readFile(computer.path)).toEqual(before);
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
    // The twelfth call writes the count of wrong PINs.
    const failing = computer.start({ calls: new FaultyCalls({ nth: 12, kind: 'fails' }) });
    const broken = computer.start({
      environment: computer.environment(() => Promise.reject(new Error('no thread'))),
    });
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

function thrown(): never {
  throw new Error('The keyring is locked');
}
