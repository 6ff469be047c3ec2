import { join } from 'node:path';

import type { IncomingFile } from './incoming.ts';
import type { StoredFile } from './stored-file.ts';

/** Hash and size of stored bytes. */
export interface StoredBlob {
  sha256: string;
  size: number;
}

/** A blob in a list. */
export interface ListedBlob extends StoredBlob {
  /** When it was stored, UNIX ms, by the clock of where it is stored. */
  storedAt: number;
}

/**
 * Files addressed by their SHA-256 (lower-case hexadecimal). A file never changes. Data derived from a blob (sizes of a
 * picture) can be made again. `FileBlobs` keeps them in a folder, `S3Blobs` in a bucket.
 *
 * - BLOB-1 Stored bytes have the address of their SHA-256, in every process that opens the store.
 * - BLOB-2 A received file can be changed before it is stored, whatever its size.
 * - BLOB-3 A file that is given up or fails to arrive leaves nothing behind.
 * - BLOB-4 Stored files can be read in ranges.
 * - BLOB-5 A missing file is an error with the code ENOENT.
 * - BLOB-6 Derived data is made once, and is not in the list of blobs.
 * - BLOB-7 A name that is no SHA-256 is refused.
 */
export interface Blobs {
  /** A folder of this machine, whose `incoming` has temporary files. */
  readonly folder: string;
  /** Whether blobs are files of `folder` too, so that a worker may store them there (`BlobBatch`). */
  readonly areLocal: boolean;
  /** Stores bytes. */
  put(content: Uint8Array): Promise<StoredBlob>;
  /**
   * Receives content of any size into a temporary file, which can be read and changed, and is stored with `keep`.
   * `isOurs`: nobody else uses the pieces, so that their memory is freed when they are written.
   */
  receive(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, isOurs?: boolean): Promise<IncomingFile>;
  /** The bytes of a blob. Throws if they do not match the hash, or with the code ENOENT if it is missing. */
  read(sha256: string): Promise<Buffer>;
  /** A blob, to be sent. `size`: as records have it, which saves asking. Throws with the code ENOENT if it is missing. */
  open(sha256: string, size?: number): Promise<StoredFile>;
  has(sha256: string): Promise<boolean>;
  /** Removes a blob that no record names. */
  remove(sha256: string): Promise<void>;
  /** All blobs, without derived data. */
  list(): AsyncIterable<ListedBlob>;
  /** The derived data `name` (letters, digits, `-`) of a blob. `make` runs once, when it is first needed. */
  derived(sha256: string, name: string, make: () => Promise<Uint8Array>): Promise<StoredFile>;
}

export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The path of a blob in the folder of a store. */
export function blobPath(folder: string, sha256: string): string {
  if (!isSha256(sha256)) throw new Error('Expected a SHA-256 in hexadecimal');
  return join(folder, sha256.slice(0, 2), sha256);
}
