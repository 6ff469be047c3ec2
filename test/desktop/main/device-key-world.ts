import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { KeyState, OpenKey } from '#desktop/ipc.ts';
import type { KeyRecord } from '#desktop/main/device-key-file.ts';
import type { KeyFileCalls } from '#desktop/main/key-file-calls.ts';
import { DeviceKey, type DeviceKeyOptions, type KeyEnvironment } from '#desktop/main/device-key.ts';

import { StandInKeyring } from './electron-stand-in.ts';

export type Handlers = DeviceKey['handlers'];

export const pin = '481516';
export const withPin = { protection: 'pin', pin } as const;
export const account = { origin: 'https://bench.example', account: 'ada' };

/** Clocks that a test moves, ms. */
export class StandInClocks {
  wall = Date.UTC(2026, 6, 1, 12);
  running = 1000;

  now = (): number => this.wall;
  monotonic = (): number => this.running;

  /** Time passes on both clocks. */
  pass(seconds: number): void {
    this.wall += seconds * 1000;
    this.running += seconds * 1000;
  }
}

/** A computer on which the program can be started again. The hash of PINs is fast. */
export class Computer {
  readonly folder: string;
  readonly keyring = new StandInKeyring();
  readonly clocks = new StandInClocks();
  readonly events: string[] = [];
  hashed = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The file of the key. */
  get path(): string {
    return join(this.folder, 'device-key.json');
  }

  /** Its second copy, with the journals. */
  get copy(): string {
    return join(this.folder, 'journals', 'device-key.json');
  }

  /** The file that counts wrong PINs. */
  get tries(): string {
    return join(this.folder, 'pin-tries.json');
  }

  /** Starts the program. The monotonic clock begins anew. */
  start(change: Partial<DeviceKeyOptions> = {}): Handlers {
    this.clocks.running = 1000;
    return new DeviceKey({
      folder: this.folder,
      safeStorage: this.keyring,
      keepInFile: false,
      closeJournals: async () => void this.events.push('journals closed'),
      freeReserve: async () => false,
      platform: 'linux',
      environment: this.environment(async (typed, salt, { memory, passes }) => {
        this.hashed += 1;
        const hash = createHash('sha256').update(JSON.stringify([typed, [...salt], memory, passes]));
        return new Uint8Array(hash.digest());
      }),
      ...change,
    }).handlers;
  }

  /** The clocks of the computer, and this hash of PINs. */
  environment(hashPin: KeyEnvironment['hashPin']): KeyEnvironment {
    return {
      now: this.clocks.now,
      monotonic: this.clocks.monotonic,
      randomBytes: (count) => new Uint8Array(randomBytes(count)),
      uuid: () => randomUUID(),
      hashPin,
    };
  }

  /** Creates a key under a PIN, and returns it. */
  async keyUnderPin(): Promise<Uint8Array> {
    this.keyring.missing = true;
    return (await this.start().keyCreate(withPin)).key;
  }

  async stored(): Promise<KeyRecord> {
    return JSON.parse(await readFile(this.path, 'utf8')) as KeyRecord;
  }

  /** How many wrong PINs in a row are counted on the disk. */
  async counted(): Promise<number> {
    return (JSON.parse(await readFile(this.tries, 'utf8')) as { wrong: number }).wrong;
  }

  /** Tries wrong PINs, each after its wait. */
  async tryWrong(device: Handlers, count: number): Promise<void> {
    for (let tried = 0; tried < count; tried += 1) {
      this.clocks.pass(locked(await device.keyState()).waitSeconds);
      locked(await device.keyUnlock('000001'));
    }
  }
}

/** The state of a key that must be open. */
export function opened(state: KeyState): OpenKey {
  if (state.state !== 'open') throw new Error(`The key is ${state.state}`);
  return state;
}

/** The state of a key that must be locked. */
export function locked(state: KeyState): Extract<KeyState, { state: 'locked' }> {
  if (state.state !== 'locked') throw new Error(`The key is ${state.state}`);
  return state;
}

/**
 * How the n-th file call goes wrong. `fails`: it does nothing, or half of a write. `fails late`: it reports a failure
 * after it succeeded. `dies`: the process ends after it.
 */
export interface Fault {
  nth: number;
  kind: 'fails' | 'fails late' | 'dies';
}

/** Real file calls, without fsync, that are recorded and of which one goes wrong. */
export class FaultyCalls implements KeyFileCalls {
  readonly log: string[] = [];
  dead = false;
  readonly #fault: Fault | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  read = (path: string) => this.#call('read', () => readFile(path));

  open = (path: string, flags: string, mode: number) =>
    this.#call(
      `open ${flags}`,
      () => open(path, flags, mode),
      undefined,
      (file) => file.close(),
    );

  write: KeyFileCalls['write'] = (file, bytes) =>
    this.#call(
      'write',
      () => file.writeFile(bytes),
      () => file.writeFile(bytes.subarray(0, bytes.length >> 1)),
    );

  sync: KeyFileCalls['sync'] = () => this.#call('sync', async () => undefined);

  rename: KeyFileCalls['rename'] = (from, to) => this.#call('rename', () => rename(from, to));

  remove = (path: string) => this.#call('remove', () => rm(path, { force: true }));

  async #call<T>(
    name: string,
    work: () => Promise<T>,
    half?: () => Promise<unknown>,
    release?: (result: T) => Promise<void>,
  ): Promise<T> {
    if (this.dead) throw new Error('The process has ended');
    this.log.push(name);
    const kind = this.log.length === this.#fault?.nth ? this.#fault.kind : 'works';
    const failure = Object.assign(new Error('failed'), {
      code: this.log.length % 2 === 0 ? 'EIO' : 'ENOSPC',
    });
    if (kind === 'fails') {
      await half?.();
      throw failure;
    }
    const result = await work();
    if (kind === 'works') return result;
    await release?.(result);
    this.dead = kind === 'dies';
    throw failure;
  }
}
