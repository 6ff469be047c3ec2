import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import { sha256Of } from '#server/platform/slices.ts';

import { isSha256, type Blobs, type ListedBlob, type StoredBlob } from '../blobs.ts';
import type { IncomingFile } from '../incoming.ts';
import { receiveInto } from '../receiving.ts';
import { HeldFile, type DirectHeaders, type StoredFile } from '../stored-file.ts';
import type { Bucket } from './bucket.ts';
import { checkedBody, checkedBytes } from './checked-body.ts';
import { BrokenRead } from '../broken-read.ts';
import { failureOf, MissingObject } from './failures.ts';

/** A temporary file is removed at a start if nothing was written to it for this time, ms. */
const abandonedMs = 3_600_000;
/** Attempts to read a file whole. */
const tries = 3;

interface Options {
  /** Folder of this machine for temporary files. */
  folder: string;
  log: Logger;
  /** Wall clock, ms. */
  now: () => number;
}

/**
 * Blobs in S3, for sites with several servers. Their names are those of the files that `FileBlobs` makes.
 *
 * - BUCKET-1 A stored file is in S3 before a record refers to it. Every server of the site reads it from there; nothing that
 *   is needed later stays on one server.
 * - BUCKET-3 What a killed process left behind is removed: temporary files of this server after an hour, incomplete files in
 *   S3 after a day, at a start.
 */
export class S3Blobs implements Blobs {
  readonly folder: string;
  readonly areLocal = false;
  readonly #bucket: Bucket;
  readonly #incoming: string;
  readonly #log: Logger;
  readonly #making = new Map<string, Promise<StoredFile>>();
  /** Sizes of blobs. They never change. */
  readonly #sizes = new LRUCache<string, number>({ max: 100_000 });

  private constructor(bucket: Bucket, { folder, log }: Options) {
    this.#bucket = bucket;
    this.folder = folder;
    this.#incoming = join(folder, 'incoming');
    this.#log = log;
  }

  /** Opens the store. Its remains are removed only if S3 answers. */
  static async open(bucket: Bucket, options: Options): Promise<S3Blobs> {
    const blobs = new S3Blobs(bucket, options);
    await mkdir(blobs.#incoming, { recursive: true });
    for (const name of await readdir(blobs.#incoming)) await removeOld(join(blobs.#incoming, name));
    await bucket
      .abortAbandoned(options.now())
      .catch((err: unknown) => options.log.warn({ err }, 'incomplete files in S3 are not removed'));
    return blobs;
  }

  async put(content: Uint8Array): Promise<StoredBlob> {
    const sha256 = await sha256Of(content);
    const { length: size } = content;
    if (!(await this.#hasSize(sha256, size))) await this.#bucket.put(nameOf(sha256), content);
    this.#sizes.set(sha256, size);
    return { sha256, size };
  }

  async receive(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    isOurs = false,
  ): Promise<IncomingFile> {
    return receiveInto(
      this.#incoming,
      content,
      async ({ path, sha256, size }) => {
        try {
          if (!(await this.#hasSize(sha256, size))) await this.#bucket.putFile(nameOf(sha256), path, size);
          this.#sizes.set(sha256, size);
        } finally {
          await rm(path, { force: true });
        }
      },
      isOurs,
    );
  }

  /** Asks S3, because the file may have been removed or damaged. */
  async #hasSize(sha256: string, size: number): Promise<boolean> {
    return (await this.#bucket.size(nameOf(sha256))) === size;
  }

  async read(sha256: string): Promise<Buffer<ArrayBuffer>> {
    return this.#whole(nameOf(sha256), () => sha256);
  }

  async open(sha256: string, size?: number): Promise<StoredFile> {
    const known = size ?? this.#sizes.get(sha256) ?? (await this.#bucket.size(nameOf(sha256)));
    if (known === null) throw new MissingObject(`There is no file ${sha256} in S3`);
    this.#sizes.set(sha256, known);
    return new S3File(this.#bucket, sha256, known, () => this.read(sha256));
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#bucket.size(nameOf(sha256))) !== null;
  }

  async remove(sha256: string): Promise<void> {
    this.#sizes.delete(sha256);
    await this.#bucket.remove(nameOf(sha256));
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for await (const { name, size, changedAt } of this.#bucket.list('')) {
      const sha256 = name.slice(3);
      if (isSha256(sha256) && name === nameOf(sha256)) yield { sha256, size, storedAt: changedAt };
    }
  }

  async derived(sha256: string, name: string, make: () => Promise<Uint8Array>): Promise<StoredFile> {
    const key = `${nameOf(sha256)}.${name}`;
    const making = this.#making.get(key) ?? this.#derive(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #derive(key: string, make: () => Promise<Uint8Array>): Promise<StoredFile> {
    try {
      return new HeldFile(await this.#whole(key, ({ sha256 }) => sha256 ?? ''));
    } catch (error) {
      // Damaged data is made again.
      if (!(error instanceof MissingObject || error instanceof BrokenRead)) throw error;
    }
    const bytes = await make();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    // It can be made again, so nothing is lost.
    await this.#bucket
      .put(key, bytes, { sha256 })
      .catch((err: unknown) => this.#log.warn({ err, key }, 'a derived file is not stored'));
    return new HeldFile(Buffer.from(bytes));
  }

  /** All bytes of an object. `hashOf`: the SHA-256 that they must have, by the metadata of the object. */
  async #whole(
    key: string,
    hashOf: (metadata: Record<string, string>) => string,
  ): Promise<Buffer<ArrayBuffer>> {
    for (let left = tries - 1; ; left -= 1) {
      const got = await this.#bucket.get(key);
      try {
        const { silentMs } = this.#bucket;
        return await checkedBytes(got, { length: got.length, sha256: hashOf(got.metadata), silentMs });
      } catch (error) {
        if (left > 0) continue;
        throw error instanceof BrokenRead ? error : failureOf(error, key);
      }
    }
  }
}

class S3File implements StoredFile {
  readonly size: number;
  readonly bytes: () => Promise<Buffer<ArrayBuffer>>;
  readonly #bucket: Bucket;
  readonly #sha256: string;

  constructor(bucket: Bucket, sha256: string, size: number, bytes: () => Promise<Buffer<ArrayBuffer>>) {
    this.#bucket = bucket;
    this.#sha256 = sha256;
    this.size = size;
    this.bytes = bytes;
  }

  async stream(start: number, end: number): Promise<Readable> {
    const isWhole = start === 0 && end === this.size - 1;
    const got = await this.#bucket.get(nameOf(this.#sha256), isWhole ? undefined : { start, end });
    const length = end - start + 1;
    if (got.length !== length) {
      got.body.destroy();
      throw new BrokenRead(`S3 has ${got.length} bytes of ${length} of the file ${this.#sha256}`);
    }
    return checkedBody(got, {
      length,
      sha256: isWhole ? this.#sha256 : null,
      silentMs: this.#bucket.silentMs,
    });
  }

  address(headers: DirectHeaders): Promise<string | null> {
    return this.#bucket.address(nameOf(this.#sha256), headers);
  }
}

function nameOf(sha256: string): string {
  if (!isSha256(sha256)) throw new Error('Expected a SHA-256 in hexadecimal');
  return `${sha256.slice(0, 2)}/${sha256}`;
}

async function removeOld(path: string): Promise<void> {
  // Another process may have removed it.
  const facts = await stat(path).catch(() => null);
  // oxlint-disable-next-line no-restricted-properties -- file times come from the machine's clock
  if (facts !== null && facts.mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });
}
