import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { IpcError, recoveryAccount } from '#desktop/ipc.ts';

import { asIpcError, unlessMissing } from './disk-errors.ts';
import { sealedLength } from './key-wraps.ts';

/** Base64 of this number of bytes. */
const base64 = (bytes: number) => z.base64().length(Math.ceil(bytes / 3) * 4);

/** The wrap under a PIN. `memory` is in KiB. The limits keep a damaged file from occupying the device for hours. */
const pinWrap = z.strictObject({
  salt: base64(16),
  memory: z
    .int()
    .min(19 * 1024)
    .max(256 * 1024),
  passes: z.int().min(2).max(10),
  sealed: base64(sealedLength),
  /** Wrong PINs in a row, and when the last one was tried (Unix time, ms). */
  wrong: z.int().nonnegative(),
  at: z.int().nonnegative(),
});

const wraps = z
  .strictObject({
    /** Base64 of what `safeStorage.encryptString` makes of the key in base64. */
    system: z.base64().min(4).max(10_000).optional(),
    pin: pinWrap.optional(),
    /** The key itself: only the mode of the file protects it. */
    file: base64(32).optional(),
    recovery: z
      .array(recoveryAccount.extend({ sealed: base64(sealedLength) }))
      .max(1000)
      .default([]),
  })
  .refine(
    ({ system, pin, file }) => [system, pin, file].filter((wrap) => wrap !== undefined).length === 1,
    'Not one protection',
  );

/**
 * What `device-key.json` stores. `id`: fingerprint of the key. `device`: of this installation, for the servers that store
 * its recovery secrets. There is exactly one of the wraps `system`, `pin` and `file`.
 */
export const keyRecord = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{16}$/),
  device: z.uuid(),
  wraps,
});
export type KeyRecord = z.output<typeof keyRecord>;
export type PinWrap = z.output<typeof pinWrap>;

const newerRecord = z.looseObject({ version: z.int().min(2) });

/** The file as it was read. `newer`: of a later version of the program. `disk`: it exists but cannot be read. */
export type StoredKey =
  | { kind: 'missing' }
  | { kind: 'record'; record: KeyRecord }
  | { kind: 'newer' | 'damaged' | 'disk' };

/** The file calls. Tests let them fail, or end the process after one. */
export interface KeyFileCalls {
  read(path: string): Promise<Uint8Array>;
  open(path: string, flags: string, mode: number): Promise<FileHandle>;
  write(file: FileHandle, bytes: Uint8Array): Promise<void>;
  sync(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

const realCalls: KeyFileCalls = {
  read: (path) => readFile(path),
  open: (path, flags, mode) => open(path, flags, mode),
  write: (file, bytes) => file.writeFile(bytes),
  sync: (file) => file.sync(),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
};

/** The owner reads and writes it, nobody else. Windows protects it by the folder of the person. */
const PRIVATE = 0o600;

/** `device-key.json` in the folder of the program's data. Calls must not overlap. */
export class KeyFile {
  readonly #folder: string;
  readonly #calls: KeyFileCalls;
  readonly #path: string;
  readonly #temporary: string;
  #isDurable = false;

  constructor(folder: string, calls: KeyFileCalls = realCalls) {
    this.#folder = folder;
    this.#calls = calls;
    this.#path = join(folder, 'device-key.json');
    this.#temporary = `${this.#path}.tmp`;
  }

  /** Reads the file, and removes the rest of a write that was interrupted. Does not throw. */
  async read(): Promise<StoredKey> {
    // Such a rest may hold the key, or a wrap under a PIN that was never acknowledged.
    await this.#calls.remove(this.#temporary).catch(() => undefined);
    try {
      const bytes = await this.#calls.read(this.#path).catch(unlessMissing);
      return bytes === undefined ? { kind: 'missing' } : recordIn(bytes);
    } catch {
      return { kind: 'disk' };
    }
  }

  /** Replaces the file: afterwards it has the old or the new record, and the new one for good once this resolves. */
  async write(record: KeyRecord): Promise<void> {
    // What the schema refuses could not be read again.
    const bytes = new TextEncoder().encode(`${JSON.stringify(keyRecord.parse(record), null, 2)}\n`);
    this.#isDurable = false;
    try {
      await mkdir(this.#folder, { recursive: true });
      await this.#calls.remove(this.#temporary);
      {
        await using file = await this.#calls.open(this.#temporary, 'wx', PRIVATE);
        await this.#calls.write(file, bytes);
        await this.#sync(file);
      }
      await this.#calls.rename(this.#temporary, this.#path);
      await this.#syncFolder();
    } catch (error) {
      await this.#calls.remove(this.#temporary).catch(() => undefined);
      asIpcError(error);
    }
    this.#isDurable = true;
  }

  /**
   * Resolves when the file that was read is durable: an earlier process may have ended before it could say so. Also
   * gives a file that was copied here its mode.
   */
  async settle(): Promise<void> {
    if (this.#isDurable) return;
    try {
      await using file = await this.#calls.open(this.#path, 'r+', PRIVATE);
      await file.chmod(PRIVATE);
      await this.#sync(file);
      await this.#syncFolder();
    } catch (error) {
      asIpcError(error);
    }
    this.#isDurable = true;
  }

  /** Renames the journals and the file to names with `day`, of which none exists yet. */
  async setAside(day: string): Promise<void> {
    // The journals come first: if the program ends in between, the key is still locked, and gets the same name later.
    const parts = [
      { name: 'journals', aside: (label: string) => `journals-set-aside-${label}` },
      { name: 'device-key.json', aside: (label: string) => `device-key-set-aside-${label}.json` },
    ];
    try {
      const present = [];
      for (const part of parts) if (await this.#exists(part.name)) present.push(part);
      const label = await this.#freeLabel(
        day,
        present.map(({ aside }) => aside),
      );
      for (const { name, aside } of present)
        await this.#calls.rename(join(this.#folder, name), join(this.#folder, aside(label)));
      await this.#syncFolder();
    } catch (error) {
      asIpcError(error);
    }
  }

  async #freeLabel(day: string, namers: ((label: string) => string)[]): Promise<string> {
    for (let count = 1; ; count += 1) {
      const label = count === 1 ? day : `${day}-${count}`;
      const taken = await Promise.all(namers.map((aside) => this.#exists(aside(label))));
      if (!taken.includes(true)) return label;
    }
  }

  async #exists(name: string): Promise<boolean> {
    return (await stat(join(this.#folder, name)).catch(unlessMissing)) !== undefined;
  }

  async #sync(file: FileHandle): Promise<void> {
    await this.#calls.sync(file).catch((cause: unknown) => {
      throw new IpcError('sync-failed', 'The disk did not take what was written', { cause });
    });
  }

  async #syncFolder(): Promise<void> {
    // Windows has no fsync for folders; NTFS journals their entries itself.
    if (process.platform === 'win32') return;
    await using folder = await this.#calls.open(this.#folder, 'r', 0);
    await this.#sync(folder);
  }
}

function recordIn(bytes: Uint8Array): StoredKey {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const record = keyRecord.safeParse(json);
    if (record.success) return { kind: 'record', record: record.data };
    return { kind: newerRecord.safeParse(json).success ? 'newer' : 'damaged' };
  } catch {
    return { kind: 'damaged' };
  }
}
