import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';

/** File that holds space back from other programs, so that a server with a full disk can still start and be read. */
export const reserveName = 'disk-reserve';
export const reserveBytes = 16 * 1024 ** 2;
/** With less free space nothing is written any more, bytes: what the released reserve gives, and some more. */
export const leastBytes = 24 * 1024 ** 2;
/** With so much free space the reserve is made, bytes. */
const plentyBytes = 256 * 1024 ** 2;
/** How long one look at the disk counts, ms. */
const lookMs = 1000;

/** What a write gets where there is no room. */
class NoRoom extends Error {
  readonly code = 'ENOSPC';
  constructor() {
    super('The disk of the data folder is full');
  }
}

interface DiskSpaceDeps {
  log: Logger;
  now: () => number;
  free?: (() => number) | undefined;
}

function freeBytesOf(folder: string): () => number {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
}

/**
 * Keeps a full disk from making the data folder useless. SQLite needs some room even to be read, so:
 *
 * - DISK-1 A file of 16 MB in the data folder holds space back. A start that finds less than 24 MB free removes it, and
 *   goes on with what that gives.
 * - DISK-2 While less than 24 MB are free every write is refused and every read is served, so that the next start finds
 *   room too.
 * - DISK-3 Once there is room again, writes go on, and the file is made again.
 */
export class DiskSpace {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #free: () => number;
  readonly #now: () => number;
  #lookedAt = -Infinity;
  #hasRoom = true;
  #isReserving = false;

  /** `now`: wall clock, ms. `free`: free space on the disk of the folder, bytes; default: as the system says. */
  constructor(folder: string, { log, now, free = freeBytesOf(folder) }: DiskSpaceDeps) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
    this.#free = free;
  }

  /** Before anything else is opened: makes room where there is none. */
  begin(): void {
    if (this.#free() >= leastBytes) return;
    rmSync(this.#path, { force: true });
    this.#log.error(
      'The disk of the data folder is full. The server starts, and can be read; nothing is saved until there is room again.',
    );
  }

  /** @throws an error with the code ENOSPC where there is no room for a write */
  mustHaveRoom(): void {
    const now = this.#now();
    if (Math.abs(now - this.#lookedAt) >= lookMs) {
      this.#lookedAt = now;
      const free = this.#free();
      const hasRoom = free >= leastBytes;
      if (hasRoom && !this.#hasRoom) this.#log.info('There is room on the disk again; changes are saved');
      if (!hasRoom && this.#hasRoom) this.#log.error('The disk of the data folder is full; nothing is saved');
      this.#hasRoom = hasRoom;
      if (this.#isReserving && free >= plentyBytes) this.#reserve();
    }
    if (!this.#hasRoom) throw new NoRoom();
  }

  /** From now on the file is there whenever there is room for it. */
  keepReserve(): void {
    this.#isReserving = true;
    if (this.#free() >= plentyBytes) this.#reserve();
  }

  #reserve(): void {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === reserveBytes) return;
    try {
      const file = openSync(this.#path, 'w', 0o600);
      try {
        const chunk = Buffer.alloc(1024 * 1024);
        for (let written = 0; written < reserveBytes; written += chunk.length) writeSync(file, chunk);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'no space could be held back for a full disk');
    }
  }

  get #path(): string {
    return join(this.#folder, reserveName);
  }
}
