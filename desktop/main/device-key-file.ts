import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { recoveryAccount } from '#desktop/ipc.ts';

import { asIpcError, unlessMissing, withReserve } from './disk-errors.ts';
import { type KeyFileCalls, PRIVATE, realCalls, syncFile, syncFolder } from './key-file-calls.ts';
import { sealedLength } from './key-wraps.ts';
import { hasSealedJournal } from './sealed-journals.ts';

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
  /** The count of earlier versions, which `pin-tries.json` continues: wrong PINs in a row, and the time of the last (Unix, ms). */
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

const fileName = 'device-key.json';

const newerRecord = z.looseObject({ version: z.int().min(2) });

/**
 * The file as it was read. `missing`: the device has no key. `newer`: of a later version of the program. `disk`: it exists
 * but cannot be read. `lost`: it does not exist, but journals that are encrypted do. `other`: the journals are those of
 * another key.
 */
export type StoredKey =
  | { kind: 'missing' }
  | { kind: 'record'; record: KeyRecord }
  | { kind: 'newer' | 'damaged' | 'disk' | 'lost' | 'other' };

/**
 * `device-key.json` in the folder of the program's data, and its second copy in the folder of the journals, which stays
 * with the work that its key opens (ELECTRON-83). Calls must not overlap.
 */
export class KeyFile {
  readonly #folder: string;
  readonly #journals: string;
  readonly #freeReserve: () => Promise<boolean>;
  readonly #calls: KeyFileCalls;
  readonly #path: string;
  readonly #copy: string;
  #isDurable = false;
  /** Whether the record was last read from the second copy, because the first is missing or damaged. */
  #isFromCopy = false;

  /** `freeReserve`: frees space for when the disk is full; false if there is none to free. */
  constructor(folder: string, freeReserve: () => Promise<boolean>, calls: KeyFileCalls = realCalls) {
    this.#folder = folder;
    this.#journals = join(folder, 'journals');
    this.#freeReserve = freeReserve;
    this.#calls = calls;
    this.#path = join(folder, fileName);
    this.#copy = join(this.#journals, fileName);
  }

  /** Reads the file, and removes the rest of a write that was interrupted. Does not throw. */
  async read(): Promise<StoredKey> {
    const first = await this.#readOne(this.#path);
    const copy = await this.#readOne(this.#copy);
    this.#isFromCopy = false;
    if (first.kind === 'record') {
      const isOther = copy.kind === 'record' && copy.record.id !== first.record.id;
      return isOther ? { kind: 'other' } : first;
    }
    if (first.kind !== 'missing' && first.kind !== 'damaged') return first;
    if (copy.kind === 'missing') return first.kind === 'missing' ? this.#none() : first;
    if (copy.kind !== 'record') return first.kind === 'missing' ? copy : first;
    this.#isFromCopy = true;
    this.#isDurable = false;
    return copy;
  }

  /**
   * Replaces the file: afterwards it has the old or the new record, and the new one for good once this resolves. Then there
   * is no second copy of the old one. `mayFreeReserve`: whether a full disk is worth the reserved space.
   */
  async write(record: KeyRecord, { mayFreeReserve = false } = {}): Promise<void> {
    const bytes = bytesOf(record);
    this.#isDurable = false;
    const freeReserve = mayFreeReserve ? this.#freeReserve : async () => false;
    await withReserve(freeReserve, () => this.#replace(this.#path, bytes));
    await this.#writeCopy(bytes);
    this.#isDurable = true;
    this.#isFromCopy = false;
  }

  /**
   * Resolves when the record that was read, and whose key is open, is durable: an earlier process may have ended before it
   * could say so. Also gives a file that was copied here its mode, and restores the one that is missing or damaged from
   * the other.
   */
  async settle(record: KeyRecord): Promise<void> {
    if (this.#isDurable) return;
    try {
      // A full disk only postpones the first one: the second opens the key too.
      if (this.#isFromCopy) await this.#replace(this.#path, bytesOf(record)).catch(() => undefined);
      const path = this.#isFromCopy ? this.#copy : this.#path;
      await using file = await this.#calls.open(path, 'r+', PRIVATE);
      await file.chmod(PRIVATE);
      await syncFile(this.#calls, file);
      await syncFolder(this.#calls, dirname(path));
    } catch (error) {
      asIpcError(error);
    }
    await this.#keepCopy(bytesOf(record));
    this.#isDurable = true;
  }

  /** Renames the journals and the file to names with `day`, of which none exists yet. */
  async setAside(day: string): Promise<void> {
    // The journals come first: if the program ends in between, the key is still locked, and gets the same name later.
    const parts = [
      { name: 'journals', aside: (label: string) => `journals-set-aside-${label}` },
      { name: fileName, aside: (label: string) => `device-key-set-aside-${label}.json` },
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
      await syncFolder(this.#calls, this.#folder);
    } catch (error) {
      asIpcError(error);
    }
  }

  async #readOne(path: string): Promise<StoredKey> {
    // The rest of a write may hold the key, or a wrap under a PIN that was never acknowledged.
    await this.#calls.remove(temporaryOf(path)).catch(() => undefined);
    try {
      const bytes = await this.#calls.read(path).catch(unlessMissing);
      return bytes === undefined ? { kind: 'missing' } : recordIn(bytes);
    } catch {
      return { kind: 'disk' };
    }
  }

  /** There is no record. If there is work under a key, that key must come back. */
  async #none(): Promise<StoredKey> {
    try {
      return { kind: (await hasSealedJournal(this.#journals)) ? 'lost' : 'missing' };
    } catch {
      return { kind: 'disk' };
    }
  }

  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    const temporary = temporaryOf(path);
    try {
      await mkdir(dirname(path), { recursive: true });
      await this.#calls.remove(temporary);
      {
        await using file = await this.#calls.open(temporary, 'wx', PRIVATE);
        await this.#calls.write(file, bytes);
        await syncFile(this.#calls, file);
      }
      await this.#calls.rename(temporary, path);
      await syncFolder(this.#calls, dirname(path));
    } catch (error) {
      await this.#calls.remove(temporary).catch(() => undefined);
      asIpcError(error);
    }
  }

  /** Writes the second copy. If that fails, removes the one before, which may be under a replaced protection. */
  async #writeCopy(bytes: Uint8Array): Promise<void> {
    await this.#replace(this.#copy, bytes).catch(() => this.#calls.remove(this.#copy).catch(asIpcError));
  }

  /** Writes the second copy if it is missing, damaged or of an earlier protection. */
  async #keepCopy(bytes: Uint8Array): Promise<void> {
    if (this.#isFromCopy) return;
    const copy = await this.#calls.read(this.#copy).catch(() => undefined);
    const isSame = copy !== undefined && Buffer.compare(copy, bytes) === 0;
    if (!isSame) await this.#writeCopy(bytes).catch(() => undefined);
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
}

function temporaryOf(path: string): string {
  return `${path}.tmp`;
}

function bytesOf(record: KeyRecord): Uint8Array {
  // What the schema refuses could not be read again.
  return new TextEncoder().encode(`${JSON.stringify(keyRecord.parse(record), null, 2)}\n`);
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
