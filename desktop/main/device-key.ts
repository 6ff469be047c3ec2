import { randomBytes, randomUUID } from 'node:crypto';

import pLimit from 'p-limit';

import { IpcError, type IpcArgs, type KeyState, type OpenKey, type RecoveryAccount } from '#desktop/ipc.ts';
import { normalPin } from '#shared/rules/device-pin.ts';
import { type Clocks, PinWait } from '#shared/rules/pin-wait.ts';

import { KeyFile, type KeyRecord, type StoredKey } from './device-key-file.ts';
import type { SafeStorage } from './electron.ts';
import type { IpcHandlers } from './ipc.ts';
import type { KeyFileCalls } from './key-file-calls.ts';
import { fingerprintOf, recoveryKey, seal, unseal } from './key-wraps.ts';
import { hashPin, type PinCost, pinCost } from './pin-hash.ts';
import { PinTriesFile } from './pin-tries-file.ts';
import { SystemKeyring } from './system-keyring.ts';

/** Time, randomness and the slow hash. */
export interface KeyEnvironment extends Clocks {
  randomBytes(count: number): Uint8Array;
  uuid(): string;
  hashPin(pin: string, salt: Uint8Array, cost: PinCost): Promise<Uint8Array>;
}

const realEnvironment: KeyEnvironment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  randomBytes: (count) => new Uint8Array(randomBytes(count)),
  uuid: () => randomUUID(),
  hashPin,
};

export interface DeviceKeyOptions {
  /** The folder of the program's data. */
  folder: string;
  safeStorage: SafeStorage;
  /** Whether a new key is kept in a file without a question. */
  keepInFile: boolean;
  /** Closes the journals before they are renamed. */
  closeJournals: () => Promise<void>;
  /** Frees space that is reserved for a full disk. False if there is none. */
  freeReserve: () => Promise<boolean>;
  platform?: NodeJS.Platform;
  environment?: KeyEnvironment;
  calls?: KeyFileCalls;
}

type KeyHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `key${string}`>>;
type Protection = IpcArgs<'keyProtect'>[0];
type Refusal = 'wrong' | 'early' | null;

interface OpenedKey {
  key: Uint8Array<ArrayBuffer>;
  /** The file as it was last read or written. */
  record: KeyRecord;
  /** Whether an account opened it, and it still is under a protection that this device cannot open. */
  isRecovered: boolean;
}

/**
 * Custody of the key under which the page encrypts what it stores. The key stays open until the program ends. Calls run
 * one after the other, and each reads the file again.
 */
export class DeviceKey {
  readonly #file: KeyFile;
  readonly #tries: PinTriesFile;
  readonly #keyring: SystemKeyring;
  readonly #keepInFile: boolean;
  readonly #closeJournals: () => Promise<void>;
  readonly #environment: KeyEnvironment;
  readonly #wait: PinWait;
  readonly #queue = pLimit(1);
  #opened: OpenedKey | undefined;

  constructor(options: DeviceKeyOptions) {
    const { folder, freeReserve, calls } = options;
    this.#file = new KeyFile(folder, freeReserve, calls);
    this.#tries = new PinTriesFile(folder, freeReserve, calls);
    this.#keyring = new SystemKeyring(options.safeStorage, options.platform ?? process.platform);
    this.#keepInFile = options.keepInFile;
    this.#closeJournals = options.closeJournals;
    this.#environment = options.environment ?? realEnvironment;
    this.#wait = new PinWait(this.#environment);
  }

  readonly handlers: KeyHandlers = {
    keyState: () => this.#queue(() => this.#state()),
    keyCreate: (protection) => this.#queue(() => this.#create(protection)),
    keyUnlock: (pin) => this.#queue(() => this.#unlock(pin)),
    keyProtect: (protection) => this.#queue(() => this.#protect(protection)),
    keyAddRecovery: (recovery) => this.#queue(() => this.#addRecovery(recovery)),
    keyRecover: (recovery) => this.#queue(() => this.#recover(recovery)),
    keySetAside: () => this.#queue(() => this.#setAside()),
  };

  async #state(refusal: Refusal = null): Promise<KeyState> {
    const stored = await this.#read();
    if (stored.kind === 'missing') return this.#begin();
    if (stored.kind !== 'record') return { state: 'unreadable', kind: stored.kind };
    const { record } = stored;
    const key = this.#keyOf(record);
    if (key !== null) return this.#open(key, record);
    // Nothing but damage explains another key in the file.
    if (record.wraps.file !== undefined) return { state: 'unreadable', kind: 'damaged' };
    const { pin } = record.wraps;
    return {
      state: 'locked',
      device: record.device,
      reason: pin === undefined ? 'system' : 'pin',
      refusal,
      waitSeconds: pin === undefined ? 0 : this.#wait.secondsLeft(await this.#tries.read(pin)),
      recoverable: recoverable(record),
    };
  }

  async #read(): Promise<StoredKey> {
    const stored = await this.#file.read();
    if ((stored.kind !== 'missing' && stored.kind !== 'lost') || this.#opened === undefined) return stored;
    // Somebody removed the file. Without it, everything under the open key would be lost when the program ends.
    await this.#file.write(this.#opened.record);
    return { kind: 'record', record: this.#opened.record };
  }

  /** The key of the file, if no person is needed to open it. */
  #keyOf({ id, wraps }: KeyRecord): Uint8Array<ArrayBuffer> | null {
    if (this.#opened?.record.id === id) return this.#opened.key;
    if (wraps.file !== undefined) return genuine(new Uint8Array(Buffer.from(wraps.file, 'base64')), id);
    return wraps.system === undefined ? null : genuine(this.#keyring.open(wraps.system), id);
  }

  async #open(key: Uint8Array<ArrayBuffer>, record: KeyRecord): Promise<OpenKey> {
    await this.#file.settle(record);
    if (record.wraps.pin !== undefined) await this.#tries.prepare(record.wraps.pin);
    const isRecovered = this.#opened?.record.id === record.id && this.#opened.isRecovered;
    this.#opened = { key, record, isRecovered };
    return {
      state: 'open',
      key: new Uint8Array(key),
      protection: isRecovered ? null : protectionOf(record),
      id: record.id,
      device: record.device,
      hasSystem: this.#keyring.works(),
      recoverable: recoverable(record),
    };
  }

  /** What a device without a key does: it makes one if it needs no answer of the person. */
  async #begin(): Promise<KeyState> {
    if (this.#keepInFile) return this.#make({ protection: 'file' });
    const key = this.#newKey();
    const system = this.#keyring.seal(key);
    return system === null ? { state: 'new', hasSystem: false } : this.#keep(key, async () => ({ system }));
  }

  async #create(protection: IpcArgs<'keyCreate'>[0]): Promise<OpenKey> {
    if ((await this.#read()).kind !== 'missing') throw new IpcError('refused', 'There is a key already');
    return this.#make(protection);
  }

  #make(protection: Protection): Promise<OpenKey> {
    const key = this.#newKey();
    return this.#keep(key, (ids) => this.#wrap(key, ids, protection));
  }

  #newKey(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#environment.randomBytes(32));
  }

  /** Writes a new key, and returns it once it is durable. */
  async #keep(
    key: Uint8Array<ArrayBuffer>,
    wrapsOf: (ids: { id: string; device: string }) => Promise<Omit<KeyRecord['wraps'], 'recovery'>>,
  ): Promise<OpenKey> {
    const ids = { id: fingerprintOf(key), device: this.#environment.uuid() };
    const record: KeyRecord = { version: 1, ...ids, wraps: { ...(await wrapsOf(ids)), recovery: [] } };
    await this.#file.write(record, { mayFreeReserve: true });
    return this.#open(key, record);
  }

  async #wrap(
    key: Uint8Array,
    ids: { id: string; device: string },
    protection: Protection,
  ): Promise<Omit<KeyRecord['wraps'], 'recovery'>> {
    if (protection.protection === 'file') return { file: Buffer.from(key).toString('base64') };
    if (protection.protection === 'system') {
      const system = this.#keyring.seal(key);
      if (system === null) throw new IpcError('unavailable', 'The system keyring does not work');
      return { system };
    }
    const salt = this.#environment.randomBytes(16);
    const wrapKey = await this.#environment.hashPin(normalPin(protection.pin), salt, pinCost);
    const sealed = seal(wrapKey, key, context('pin', ids), (count) => this.#environment.randomBytes(count));
    return { pin: { salt: Buffer.from(salt).toString('base64'), ...pinCost, sealed, wrong: 0, at: 0 } };
  }

  async #unlock(tried: string): Promise<KeyState> {
    const state = await this.#state();
    if (state.state !== 'locked' || state.reason !== 'pin') return state;
    if (state.waitSeconds > 0) return { ...state, refusal: 'early' };
    const record = await this.#recordRead();
    const { pin } = record.wraps;
    if (pin === undefined) return state;
    // The try counts before its result is known, so that ending the program does not undo it.
    const { wrong } = await this.#tries.read(pin);
    const counted = { wrong: wrong + 1, at: Math.max(0, this.#environment.now()) };
    await this.#tries.write(pin, counted);
    this.#wait.begin(counted);
    const salt = Buffer.from(pin.salt, 'base64');
    const wrapKey = await this.#environment.hashPin(normalPin(tried), salt, pin);
    const key = genuine(unseal(wrapKey, pin.sealed, context('pin', record)), record.id);
    if (key === null) return this.#state('wrong');
    // A person with the right PIN gets to their work even if the count remains: the file has the wrap in any case.
    await this.#tries.write(pin, { wrong: 0, at: 0 }).catch(() => undefined);
    this.#opened = { key, record, isRecovered: false };
    return this.#state();
  }

  async #protect(protection: Protection): Promise<OpenKey> {
    const { key, record } = await this.#requireOpen();
    const { recovery } = record.wraps;
    const next = { ...record, wraps: { ...(await this.#wrap(key, record, protection)), recovery } };
    await this.#file.write(next, { mayFreeReserve: true });
    this.#opened = { key, record: next, isRecovered: false };
    return this.#open(key, next);
  }

  async #addRecovery({ secret, ...account }: IpcArgs<'keyAddRecovery'>[0]): Promise<undefined> {
    const { key, record } = await this.#requireOpen();
    const wrapKey = await recoveryKey({ ...account, device: record.device, secret });
    const sealed = seal(wrapKey, key, context('recovery', record, account), (count) =>
      this.#environment.randomBytes(count),
    );
    const others = record.wraps.recovery.filter((one) => !isSame(one, account));
    const recovery = [...others, { ...account, sealed }];
    await this.#file.write({ ...record, wraps: { ...record.wraps, recovery } });
    return undefined;
  }

  async #recover({ secret, ...account }: IpcArgs<'keyRecover'>[0]): Promise<KeyState> {
    const state = await this.#state();
    if (state.state !== 'locked') return state;
    const record = await this.#recordRead();
    const wrapKey = await recoveryKey({ ...account, device: record.device, secret });
    const wrap = record.wraps.recovery.find((one) => isSame(one, account));
    const opened = wrap && unseal(wrapKey, wrap.sealed, context('recovery', record, account));
    const key = genuine(opened ?? null, record.id);
    if (key === null) return this.#state('wrong');
    this.#opened = { key, record, isRecovered: true };
    if (state.reason === 'system' && this.#keyring.works())
      // If that fails, the key stays open, and the page asks how to protect it.
      await this.#protect({ protection: 'system' }).catch(() => undefined);
    return this.#state();
  }

  async #setAside(): Promise<KeyState> {
    const { state } = await this.#state();
    if (state !== 'locked' && state !== 'unreadable')
      throw new IpcError('refused', 'Only a locked or unreadable key is set aside');
    await this.#closeJournals();
    await this.#file.setAside(new Date(this.#environment.now()).toISOString().slice(0, 10));
    this.#opened = undefined;
    return this.#state();
  }

  async #recordRead(): Promise<KeyRecord> {
    const stored = await this.#file.read();
    if (stored.kind !== 'record') throw new IpcError('unavailable', 'The file of the key has changed');
    return stored.record;
  }

  async #requireOpen(): Promise<OpenedKey> {
    const { state } = await this.#state();
    if (state !== 'open' || this.#opened === undefined)
      throw new IpcError('refused', 'The device key is not open');
    return this.#opened;
  }
}

/** `key` if it has this fingerprint; null otherwise. */
function genuine(key: Uint8Array<ArrayBuffer> | null, id: string): Uint8Array<ArrayBuffer> | null {
  return key?.length === 32 && fingerprintOf(key) === id ? key : null;
}

/** Binds a wrap to its purpose, key and device, so that it cannot be moved. */
function context(
  purpose: 'pin' | 'recovery',
  { id, device }: { id: string; device: string },
  { origin, account }: Partial<RecoveryAccount> = {},
): string {
  return JSON.stringify(['benchbook-device-key', purpose, id, device, origin, account]);
}

function protectionOf({ wraps }: KeyRecord): 'system' | 'pin' | 'file' {
  if (wraps.system !== undefined) return 'system';
  return wraps.pin === undefined ? 'file' : 'pin';
}

function recoverable({ wraps }: KeyRecord): RecoveryAccount[] {
  return wraps.recovery.map(({ origin, account }) => ({ origin, account }));
}

function isSame(one: RecoveryAccount, other: RecoveryAccount): boolean {
  return one.origin === other.origin && one.account === other.account;
}
