import { join } from 'node:path';

import { z } from 'zod';

import { freeTries, type PinTries } from '#shared/rules/pin-wait.ts';

import type { PinWrap } from './device-key-file.ts';
import { unlessMissing, withReserve } from './disk-errors.ts';
import { type KeyFileCalls, PRIVATE, realCalls, syncFile, syncFolder } from './key-file-calls.ts';

/** `salt`: that of the wrap, so that a new PIN begins a new count. */
const storedTries = z.object({
  salt: z.string(),
  wrong: z.int().nonnegative(),
  at: z.int().nonnegative(),
});

/** The file always has this size, bytes: most file systems need no space to overwrite what is there. */
const size = 128;

/**
 * Counts wrong PINs in `pin-tries.json`, apart from the record of the key: it can be overwritten on a full disk, and it
 * puts no key at risk (ELECTRON-44, ELECTRON-84).
 */
export class PinTriesFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #freeReserve: () => Promise<boolean>;
  readonly #calls: KeyFileCalls;

  constructor(folder: string, freeReserve: () => Promise<boolean>, calls: KeyFileCalls = realCalls) {
    this.#folder = folder;
    this.#path = join(folder, 'pin-tries.json');
    this.#freeReserve = freeReserve;
    this.#calls = calls;
  }

  /** The count for this wrap. If it cannot be read, a wait is due. Does not throw. */
  async read(pin: PinWrap): Promise<PinTries> {
    const before = { wrong: pin.wrong, at: pin.at };
    try {
      const bytes = await this.#calls.read(this.#path).catch(unlessMissing);
      // An interrupted first write leaves an empty file.
      if (bytes === undefined || bytes.length === 0) return before;
      const { salt, ...tries } = storedTries.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return salt === pin.salt ? tries : before;
    } catch {
      return { wrong: Math.max(pin.wrong, freeTries), at: pin.at };
    }
  }

  /**
   * Stores the count. Resolves when it is durable. A full disk takes the reserved space if it cannot be overwritten.
   * @throws IpcError
   */
  async write({ salt }: PinWrap, tries: PinTries): Promise<void> {
    const text = JSON.stringify({ salt, ...tries } satisfies z.output<typeof storedTries>).padEnd(size);
    await withReserve(this.#freeReserve, () => this.#overwrite(new TextEncoder().encode(text)));
  }

  /** Makes sure that the file exists before the disk is full. If that fails, the first write tries it again. */
  async prepare(pin: PinWrap): Promise<void> {
    try {
      if ((await this.#calls.read(this.#path).catch(unlessMissing)) !== undefined) return;
      const text = JSON.stringify({ salt: pin.salt, wrong: pin.wrong, at: pin.at }).padEnd(size);
      await this.#overwrite(new TextEncoder().encode(text));
    } catch {
      // The reserve of the journals is left for the first try.
    }
  }

  async #overwrite(bytes: Uint8Array): Promise<void> {
    const existing = await this.#calls.open(this.#path, 'r+', PRIVATE).catch(unlessMissing);
    await using file = existing ?? (await this.#calls.open(this.#path, 'wx', PRIVATE));
    await this.#calls.write(file, bytes);
    await syncFile(this.#calls, file);
    if (existing === undefined) await syncFolder(this.#calls, this.#folder);
  }
}
