import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';

/** A file that reserves space, so that the server can start and serve reads with a full disk. */
export const reserveName = 'disk-reserve';
export const reserveBytes = 16 * 1024 ** 2;
/** With less free space, writes are refused, bytes. More than the reserve, so that removing it leaves room. */
export const leastBytes = 24 * 1024 ** 2;
/** The reserve is made if this much space is free, bytes. */
const plentyBytes = 256 * 1024 ** 2;
/** Time between two looks at the disk, ms. */
const lookMs = 1000;

/** Thrown by a write if there is no room. */
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
 * Lets a server with a full disk start and serve reads: SQLite needs some free space even for reading.
 *
 * - DISK-1 A file of 16 MB in the data folder reserves space. If a start finds less than 24 MB free, it removes the file.
 * - DISK-2 While less than 24 MB are free, writes are refused and reads are served, so that the next start has room too.
 * - DISK-3 When there is room again, writes work again and the file is made again.
 */
export class DiskSpace {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #free: () => number;
  readonly #now: () => number;
  #lookedAt = -Infinity;
  #hasRoom = true;
  #isReserving = false;

  /** `now`: wall clock, ms. `free`: free space on the disk of the folder, bytes; default: from the system. */
  constructor(folder: string, { log, now, free = freeBytesOf(folder) }: DiskSpaceDeps) {
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
    this.#free = free;
  }

  /** To be called before the data folder is opened. Removes the reserve if the disk is full. */
  begin(): void {
    if (this.#free() >= leastBytes) return;
    rmSync(this.#path, { force: true });
    this.#log.error(
      'The disk of the data folder is full. The server starts, and can be read; nothing is saved until there is room again.',
    );
  }

  /** @throws an error with the code ENOSPC if there is no room for a write */
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

  /** Makes the reserve now, or as soon as there is room for it. */
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
