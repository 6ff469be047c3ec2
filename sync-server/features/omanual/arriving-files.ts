import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { LRUCache } from 'lru-cache';

import type { FileOnDisk } from '#shared/api/endpoint.ts';
import { syncFolder } from '#server/media/sync-folder.ts';
import { SerialByName } from '#server/platform/serial-by-name.ts';

/** The hash of the first bytes of a file. */
interface Hashed {
  bytes: number;
  hash: Hash;
}

/** Files that arrive at the same time and are hashed on the way; further ones are read again at their end. */
const mostHashed = 100;

/** The files of imports while they arrive in parts. They are hashed on the way, so that they need not be read again. */
export class ArrivingFiles {
  readonly #pathOf: (importid: number) => string;
  readonly #hashed = new LRUCache<number, Hashed>({ max: mostHashed });
  /** Parts of a file are written one after the other, so that a hash is that of the bytes on the disk. */
  readonly #writing = new SerialByName<number>();

  constructor(pathOf: (importid: number) => string) {
    this.#pathOf = pathOf;
  }

  /**
   * Adds a part at its offset; the first one replaces the file. Resolves when it is on the disk: to the file's SHA-256
   * if it has `size` bytes now, else to null.
   */
  add(importid: number, offset: number, part: FileOnDisk, size: number): Promise<string | null> {
    return this.#writing.run(importid, async () => {
      const path = this.#pathOf(importid);
      const before = this.#hashed.get(importid);
      this.#hashed.delete(importid);
      const isWhole = offset + part.size === size;
      if (offset === 0 && isWhole) {
        const sha256 = await part.sha256();
        await place(part, path);
        return sha256;
      }
      const known = offset === 0 ? { bytes: 0, hash: createHash('sha256') } : before;
      const hashed = known?.bytes === offset ? known : undefined;
      if (offset === 0) {
        for await (const piece of part.pieces()) hashed?.hash.update(piece);
        await place(part, path);
      } else await copy(part, path, offset, hashed?.hash);
      if (isWhole) return hashed?.hash.digest('hex') ?? (await hashOf(path));
      if (hashed !== undefined) this.#hashed.set(importid, { ...hashed, bytes: offset + part.size });
      return null;
    });
  }
}

async function place(part: FileOnDisk, path: string): Promise<void> {
  await part.moveTo(path);
  await syncFolder(dirname(path));
}

async function copy(part: FileOnDisk, path: string, offset: number, hash: Hash | undefined): Promise<void> {
  await using file = await open(path, 'r+');
  let at = offset;
  for await (const piece of part.pieces()) {
    hash?.update(piece);
    for (let done = 0; done < piece.length;)
      done += (await file.write(piece, done, piece.length - done, at + done)).bytesWritten;
    at += piece.length;
  }
  await file.sync();
}

/** The SHA-256 of a file, in lower-case hexadecimal. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}
