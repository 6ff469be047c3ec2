import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  UploadPartCommand,
  PutObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import pLimit from 'p-limit';

import { must } from '#shared/must.ts';

import type { DirectHeaders } from '../stored-file.ts';
import { BrokenRead } from '../broken-read.ts';
import { failureOf, isMissing } from './failures.ts';
import type { S3Location } from '#server/platform/s3-location.ts';

/** Larger files are sent in parts, bytes. */
export const partSize = 8 * 1024 * 1024;
/** Most parts of a file; S3 takes 10,000. */
const mostParts = 9000;
/** Parts that are in memory and being sent at the same time, of all files. */
const partsTogether = 4;
/** An unfinished upload in parts is given up after this time, ms: longer than any upload takes. */
const abandonedMs = 24 * 3_600_000;
/** Time for which an address of `address` works, seconds. */
export const addressSeconds = 60;

/** Times after which a call to S3 counts as failed, ms. */
export interface S3Patience {
  /** Until a connection is made. */
  connectMs: number;
  /** Until a request, which may have 8 MB, is sent and its answer begins. */
  answerMs: number;
  /** Without a byte of an answer that has begun. */
  silentMs: number;
}

const defaultPatience: S3Patience = { connectMs: 5000, answerMs: 60_000, silentMs: 30_000 };

/** What `get` found. */
export interface Got {
  body: Readable;
  /** Bytes of `body`. */
  length: number;
  metadata: Record<string, string>;
}

/** An object in a list; its name is without the prefix of the site. */
export interface ListedObject {
  name: string;
  size: number;
  /** UNIX ms, by the clock of S3. */
  changedAt: number;
}

/**
 * The objects of a site in S3, by their names after its prefix. Failures are those of `failureOf`.
 *
 * - BUCKET-4 S3 checks the SHA-256 of everything that it receives, which is part of the signature of each request. A file of
 *   more than 8 MB is sent in parts, and exists only when it is complete; its length is compared afterwards.
 */
export class Bucket {
  readonly silentMs: number;
  readonly #client: S3Client;
  readonly #location: S3Location;
  readonly #parts = pLimit(partsTogether);

  constructor(location: S3Location, patience: S3Patience = defaultPatience) {
    const { endpoint, region, pathStyle } = location;
    this.#location = location;
    this.silentMs = patience.silentMs;
    this.#client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
      forcePathStyle: pathStyle,
      // Other servers do not know the checksums that the client would add. The signature has a SHA-256.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: patience.connectMs,
        requestTimeout: patience.answerMs,
        throwOnRequestTimeout: true,
      },
    });
  }

  /** Stores an object. Its bytes may be sent several times. */
  async put(name: string, bytes: Uint8Array, metadata: Record<string, string> = {}): Promise<void> {
    await this.#send(name, (where) =>
      this.#client.send(new PutObjectCommand({ ...where, Body: bytes, Metadata: metadata })),
    );
  }

  /** Stores the file at `path` as an object, in parts if it is large. */
  async putFile(name: string, path: string, size: number): Promise<void> {
    await using file = await open(path, 'r');
    if (size <= partSize) return this.put(name, await bytesAt(file, 0, size));
    const { UploadId } = await this.#send(name, (where) =>
      this.#client.send(new CreateMultipartUploadCommand(where)),
    );
    const upload = must(UploadId, 'the id of the upload');
    try {
      await this.#putParts(name, upload, file, size);
    } catch (error) {
      // If this fails too, `abortAbandoned` does it.
      await this.#abort(name, upload).catch(() => undefined);
      throw error;
    }
    const stored = await this.size(name);
    if (stored === size) return;
    await this.remove(name);
    throw failureOf(new BrokenRead(`S3 stored ${stored} of ${size} bytes`), name);
  }

  async #putParts(name: string, upload: string, file: FileHandle, size: number): Promise<void> {
    const each = Math.max(partSize, Math.ceil(size / mostParts));
    const failed = new AbortController();
    const sent = Array.from({ length: Math.ceil(size / each) }, (_, index) =>
      this.#parts(async () => {
        failed.signal.throwIfAborted();
        const Body = await bytesAt(file, index * each, Math.min(each, size - index * each));
        const PartNumber = index + 1;
        const { ETag } = await this.#send(name, (where) =>
          this.#client.send(new UploadPartCommand({ ...where, UploadId: upload, PartNumber, Body })),
        );
        return { PartNumber, ETag };
      }).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    // All of them have ended before the file is closed.
    await Promise.allSettled(sent);
    const Parts = await Promise.all(sent);
    await this.#send(name, (where) =>
      this.#client.send(
        new CompleteMultipartUploadCommand({ ...where, UploadId: upload, MultipartUpload: { Parts } }),
      ),
    );
  }

  /** An object, or its bytes from `start` to `end`, both included. */
  async get(name: string, range?: { start: number; end: number }): Promise<Got> {
    const answer = await this.#send(name, (where) =>
      this.#client.send(
        new GetObjectCommand({
          ...where,
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
        }),
      ),
    );
    return {
      body: must(answer.Body, 'the object') as Readable,
      length: must(answer.ContentLength, 'the length of the object'),
      metadata: answer.Metadata ?? {},
    };
  }

  /** The size of an object in bytes; null if it does not exist. */
  async size(name: string): Promise<number | null> {
    try {
      return must(
        (await this.#client.send(new HeadObjectCommand(this.#where(name)))).ContentLength,
        'a length',
      );
    } catch (error) {
      if (isMissing(error)) return null;
      throw failureOf(error, name);
    }
  }

  async remove(name: string): Promise<void> {
    await this.#send(name, (where) => this.#client.send(new DeleteObjectCommand(where)));
  }

  /** Removes many objects. */
  async removeAll(names: readonly string[]): Promise<void> {
    const most = 1000;
    for (let at = 0; at < names.length; at += most) {
      const Objects = names.slice(at, at + most).map((name) => ({ Key: this.#where(name).Key }));
      const { bucket: Bucket } = this.#location;
      const { Errors = [] } = await this.#send('', () =>
        this.#client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
      );
      const [first] = Errors;
      if (first !== undefined) throw failureOf(new Error(`S3 did not remove ${first.Key}`), first.Key ?? '');
    }
  }

  /** The objects whose names begin with `prefix`, by name. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const { bucket, prefix: site } = this.#location;
    try {
      const pages = paginateListObjectsV2(
        { client: this.#client },
        { Bucket: bucket, Prefix: site + prefix },
      );
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified } of Contents)
          yield { name: Key.slice(site.length), size: Size, changedAt: LastModified?.getTime() ?? 0 };
    } catch (error) {
      throw failureOf(error, prefix);
    }
  }

  /** Whether there are objects with this prefix. */
  async hasAny(prefix: string): Promise<boolean> {
    for await (const _ of this.list(prefix)) return true;
    return false;
  }

  /** An address at which everybody can download an object for a minute; null if the site does not want that. */
  async address(name: string, { type, disposition }: DirectHeaders): Promise<string | null> {
    if (!this.#location.redirects) return null;
    const command = new GetObjectCommand({
      ...this.#where(name),
      ResponseContentType: type,
      ResponseCacheControl: 'private, max-age=31536000, immutable',
      ...(disposition === undefined ? {} : { ResponseContentDisposition: disposition }),
    });
    return getSignedUrl(this.#client, command, { expiresIn: addressSeconds });
  }

  /**
   * Gives up uploads in parts that a process left unfinished a day ago or earlier.
   * @returns how many
   */
  async abortAbandoned(now: number): Promise<number> {
    const { bucket, prefix } = this.#location;
    const { Uploads = [] } = await this.#send('', () =>
      this.#client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix })),
    );
    const old = Uploads.filter(({ Initiated }) => (Initiated?.getTime() ?? now) < now - abandonedMs);
    for (const { Key = '', UploadId = '' } of old) await this.#abort(Key.slice(prefix.length), UploadId);
    return old.length;
  }

  async #abort(name: string, upload: string): Promise<void> {
    await this.#send(name, (where) =>
      this.#client.send(new AbortMultipartUploadCommand({ ...where, UploadId: upload })),
    );
  }

  async #send<T>(name: string, send: (where: { Bucket: string; Key: string }) => Promise<T>): Promise<T> {
    try {
      return await send(this.#where(name));
    } catch (error) {
      throw failureOf(error, name);
    }
  }

  #where(name: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#location;
    return { Bucket: bucket, Key: prefix + name };
  }
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) throw new RangeError('The file became shorter');
    done += bytesRead;
  }
  return bytes;
}
