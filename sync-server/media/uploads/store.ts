/**
 * The store of resumable uploads. `sync/uploads.ts` has their protocol.
 *
 * - UPLOAD-1 Received bytes are stored however the request ended, and survive a restart of the server. HEAD and GET
 *   state how far an upload is; GET in its body too, because proxies strip headers. A request that is still writing to
 *   the upload is ended first: the client has given up on it.
 * - UPLOAD-2 An upload has an owner. For everybody else, including administrators, it does not exist (404).
 * - UPLOAD-5 A person may have 1 GB and 100 files of unfinished uploads. Beyond that the answer is 429
 *   (`upload-quota`), also if many begin at the same time.
 * - UPLOAD-6 An upload is removed 7 days after its last byte arrived.
 * - UPLOAD-7 A file that does not fit on the disk, with 64 MB left for the database, is refused before it is sent
 *   (503, `disk-full`).
 */
import type { Readable } from 'node:stream';

import { conflict, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { UploadState } from '#shared/sync/uploads.ts';
import { SerialByName } from '#server/platform/serial-by-name.ts';
import { sha256Of } from '#server/platform/slices.ts';

import { Allowance } from './allowance.ts';
import type { FoundUpload, UploadBytes } from './upload-bytes.ts';

/** Limits of all unfinished uploads of one person. */
export const uploadQuota = { bytes: 1024 ** 3, files: 100 } as const;
/** Free space that is reserved for the database, bytes. */
const reserve = 64 * 1024 * 1024;

/** A request that is writing to an upload. */
interface Writing {
  stop: () => void;
  done: Promise<void>;
}

interface Options {
  bytes: UploadBytes;
  /** Wall clock, ms. */
  now: () => number;
  /** Bytes that one person may send within a day. Default: no limit. */
  mostPerDay?: () => number;
}

/** Unfinished uploads. All their state is in `bytes`, so a restart finds everything. */
export class Uploads {
  readonly #bytes: UploadBytes;
  readonly #now: () => number;
  readonly #allowance: Allowance;
  /** By upload (`nameOf`). */
  readonly #writing = new Map<string, Writing>();
  /** Serializes `begin`, by person. */
  readonly #beginnings = new SerialByName<number>();

  constructor({ bytes, now, mostPerDay = () => Infinity }: Options) {
    this.#bytes = bytes;
    this.#now = now;
    this.#allowance = new Allowance(now, mostPerDay);
  }

  /** @throws Problem 429 unless the person may send `bytes` more today */
  mustHaveLeft(userid: number, bytes: number): void {
    this.#allowance.mustHave(userid, bytes);
  }

  /**
   * Counts bytes of a file that a person sent, as an upload or as a body.
   * @throws Problem 429 if there are too many today
   */
  count(userid: number, bytes: number): void {
    this.#allowance.count(userid, bytes);
  }

  /** Received bytes of an upload; 0 if it does not exist. */
  async size(userid: number, id: string): Promise<number> {
    return (await this.#find(userid, id))?.state.offset ?? 0;
  }

  /**
   * Begins an upload of `size` bytes. If it exists already, its current state is returned.
   * @throws Problem 409 if it exists with another size, 429 over the quota, 503 if the disk is full
   */
  async begin(userid: number, id: string, size: number): Promise<UploadState> {
    // One after the other, because two at the same time would both pass the quota when only one may.
    return this.#beginnings.run(userid, () => this.#begin(userid, id, size));
  }

  async #begin(userid: number, id: string, size: number): Promise<UploadState> {
    const known = await this.#find(userid, id);
    if (known?.state.size === size) return known.state;
    if (known !== undefined) throw conflict(known.state);
    await this.#mustFit(userid, size);
    await this.#bytes.begin(userid, id, size);
    return (await this.#must(userid, id)).state;
  }

  /** The current state of an upload. A request that is still writing to it is ended first. */
  async read(userid: number, id: string): Promise<UploadState> {
    await this.#stopWriting(userid, id);
    return (await this.#must(userid, id)).state;
  }

  /**
   * Appends the bytes of `source`. If `source` fails, the bytes before are stored. Resolves when they would survive a
   * power loss.
   * @throws Problem 409 if `offset` is not the end of the upload, 422 beyond its size
   */
  async append(userid: number, id: string, offset: number, source: Readable): Promise<UploadState> {
    await this.#stopWriting(userid, id);
    const upload = await this.#must(userid, id);
    const name = nameOf(upload);
    // Another request may have begun to write while this one was waiting.
    if (upload.state.offset !== offset || this.#writing.has(name)) throw conflict(upload.state);
    const written = this.#write(upload, source);
    const done = written.then(
      () => undefined,
      () => undefined,
    );
    this.#writing.set(name, { stop: () => source.destroy(), done });
    try {
      await written;
    } finally {
      this.#writing.delete(name);
    }
    return (await this.#must(userid, id)).state;
  }

  async remove(userid: number, id: string): Promise<void> {
    await this.#stopWriting(userid, id);
    const found = await this.#find(userid, id);
    if (found !== undefined) await this.#bytes.remove(found);
  }

  /**
   * The bytes of a complete upload, checked against their SHA-256 (lower-case hexadecimal). A damaged upload is
   * removed, so that it can be sent again.
   * @throws Problem 422 `upload-not-found`, `upload-incomplete` or `upload-damaged`
   */
  async bytes(userid: number, id: string, sha256: string): Promise<Buffer> {
    await this.#stopWriting(userid, id);
    const found = await this.#find(userid, id);
    if (found === undefined)
      throw refused('upload-not-found', 'The uploaded file is not on the server. Send it again');
    const { offset, size } = found.state;
    if (offset < size)
      throw refused(
        'upload-incomplete',
        `Only ${offset} of ${size} bytes of the file have arrived. Send the rest`,
      );
    const bytes = await this.#bytes.read(found);
    if ((await sha256Of(bytes)) === sha256) return bytes;
    await this.#bytes.remove(found);
    throw refused('upload-damaged', 'The file arrived damaged and was removed. Send it again');
  }

  /** Removes expired uploads. */
  async prune(): Promise<void> {
    for (const userid of await this.#bytes.people())
      for (const { state } of await this.#bytes.list(userid))
        if (state.expires_date * 1000 <= this.#now()) await this.remove(userid, state.upload);
  }

  async #write(upload: FoundUpload, source: Readable): Promise<void> {
    try {
      await this.#bytes.append(upload, this.#counted(upload, source));
    } catch (error) {
      throw isFull(error) ? diskFull(error) : error;
    }
  }

  async *#counted({ userid, state }: FoundUpload, source: Readable): AsyncGenerator<Buffer> {
    let { offset } = state;
    // The stream is not destroyed if it is too long: the refusal is sent on its connection.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (offset + chunk.length > state.size)
        throw invalid('body', `The upload has ${state.size} bytes; these go beyond its end`);
      this.#allowance.count(userid, chunk.length);
      yield chunk;
      offset += chunk.length;
    }
  }

  async #mustFit(userid: number, size: number): Promise<void> {
    const own = await this.#bytes.list(userid);
    const bytes = own.reduce((sum, { state }) => sum + state.size, 0);
    if (bytes + size > uploadQuota.bytes || own.length >= uploadQuota.files)
      throw new Problem(
        'too-many-requests',
        'Your unfinished uploads take all the space that one person has. They are removed when they are complete, or after 7 days',
        { code: 'upload-quota', retryAfterSeconds: 900 },
      );
    if ((await this.#bytes.freeBytes()) < size + reserve) throw diskFull();
  }

  /** Ends a request that is writing to the upload: its connection may be lost without the server having noticed. */
  async #stopWriting(userid: number, id: string): Promise<void> {
    const found = await this.#find(userid, id);
    const writing = found === undefined ? undefined : this.#writing.get(nameOf(found));
    writing?.stop();
    await writing?.done;
  }

  async #must(userid: number, id: string): Promise<FoundUpload> {
    const found = await this.#find(userid, id);
    if (found === undefined) throw notFound('Upload');
    return found;
  }

  async #find(userid: number, id: string): Promise<FoundUpload | undefined> {
    return (await this.#bytes.list(userid, id))[0];
  }
}

/** The name of an upload while it is written to. */
function nameOf({ userid, state }: FoundUpload): string {
  return `${userid}/${state.upload}`;
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function diskFull(cause?: unknown): Problem {
  return new Problem('unavailable', "The server's disk is full; nothing was stored", {
    code: 'disk-full',
    retryAfterSeconds: 300,
    cause,
  });
}

function refused(
  code: 'upload-not-found' | 'upload-incomplete' | 'upload-damaged',
  message: string,
): Problem {
  return new Problem('invalid', message, { code, errors: [{ field: 'upload', message }] });
}
