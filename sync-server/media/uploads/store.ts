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
import { mkdir, open, readdir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { conflict, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { UploadState } from '#shared/sync/uploads.ts';
import { SerialByName } from '#server/platform/serial-by-name.ts';
import { sha256Of } from '#server/platform/slices.ts';

import { Allowance } from './allowance.ts';

/** Limits of all unfinished uploads of one person. */
export const uploadQuota = { bytes: 1024 ** 3, files: 100 } as const;
/** Time after its last byte until an upload is removed, seconds. */
export const keepUploadSeconds = 7 * 24 * 3600;
/** Free space that is reserved for the database, bytes. */
const reserve = 64 * 1024 * 1024;

interface Found {
  path: string;
  state: UploadState;
}

/** A request that is writing to an upload. */
interface Writing {
  stop: () => void;
  done: Promise<void>;
}

interface Options {
  folder: string;
  /** Wall clock, ms. */
  now: () => number;
  /** Free bytes on the disk of `folder`. */
  freeBytes?: () => Promise<number>;
  /** Bytes that one person may send within a day. Default: no limit. */
  mostPerDay?: () => number;
}

/**
 * Unfinished uploads, one folder per person. The name of a file contains the upload's id and total size, and its
 * content is what has arrived. There is no other state, so a restart finds everything on the disk.
 */
export class Uploads {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #freeBytes: () => Promise<number>;
  readonly #allowance: Allowance;
  readonly #writing = new Map<string, Writing>();
  /** Serializes `begin`, by person. */
  readonly #beginnings = new SerialByName<number>();

  private constructor({ folder, now, freeBytes, mostPerDay = () => Infinity }: Options) {
    this.#folder = folder;
    this.#now = now;
    this.#freeBytes = freeBytes ?? (async () => freeOn(folder));
    this.#allowance = new Allowance(now, mostPerDay);
  }

  /** Opens the store, making its folder if needed. */
  static async open(options: Options): Promise<Uploads> {
    await mkdir(options.folder, { recursive: true });
    return new Uploads(options);
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
    await mkdir(this.#folderOf(userid), { recursive: true });
    await this.#closeTouched(await open(join(this.#folderOf(userid), `${id}.${size}`), 'a'));
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
    const { path, state } = await this.#must(userid, id);
    // Another request may have begun to write while this one was waiting.
    if (state.offset !== offset || this.#writing.has(path)) throw conflict(state);
    const written = this.#write(path, state, source, userid);
    const done = written.then(
      () => undefined,
      () => undefined,
    );
    this.#writing.set(path, { stop: () => source.destroy(), done });
    try {
      await written;
    } finally {
      this.#writing.delete(path);
    }
    return (await this.#must(userid, id)).state;
  }

  async remove(userid: number, id: string): Promise<void> {
    await this.#stopWriting(userid, id);
    const found = await this.#find(userid, id);
    if (found !== undefined) await rm(found.path, { force: true });
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
    const bytes = await readFile(found.path);
    if ((await sha256Of(bytes)) === sha256) return bytes;
    await rm(found.path, { force: true });
    throw refused('upload-damaged', 'The file arrived damaged and was removed. Send it again');
  }

  /** Removes expired uploads. */
  async prune(): Promise<void> {
    for (const userid of (await readdir(this.#folder)).map(Number))
      for (const { state } of await this.#list(userid))
        if (state.expires_date * 1000 <= this.#now()) await this.remove(userid, state.upload);
  }

  async #write(path: string, state: UploadState, source: Readable, userid: number): Promise<void> {
    const file = await open(path, 'a');
    let offset = state.offset;
    try {
      // The stream is not destroyed if it is too long: the refusal is sent on its connection.
      for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (offset + chunk.length > state.size)
          throw invalid('body', `The upload has ${state.size} bytes; these go beyond its end`);
        this.#allowance.count(userid, chunk.length);
        await file.writeFile(chunk);
        offset += chunk.length;
      }
      await file.sync();
    } catch (error) {
      throw isFull(error) ? diskFull(error) : error;
    } finally {
      await this.#closeTouched(file);
    }
  }

  /** Sets the modification time of a file to now, and closes it. */
  async #closeTouched(file: FileHandle): Promise<void> {
    const seconds = this.#now() / 1000;
    await file.utimes(seconds, seconds);
    await file.close();
  }

  async #mustFit(userid: number, size: number): Promise<void> {
    const own = await this.#list(userid);
    const bytes = own.reduce((sum, { state }) => sum + state.size, 0);
    if (bytes + size > uploadQuota.bytes || own.length >= uploadQuota.files)
      throw new Problem(
        'too-many-requests',
        'Your unfinished uploads take all the space that one person has. They are removed when they are complete, or after 7 days',
        { code: 'upload-quota', retryAfterSeconds: 900 },
      );
    if ((await this.#freeBytes()) < size + reserve) throw diskFull();
  }

  /** Ends a request that is writing to the upload: its connection may be lost without the server having noticed. */
  async #stopWriting(userid: number, id: string): Promise<void> {
    const found = await this.#find(userid, id);
    const writing = found === undefined ? undefined : this.#writing.get(found.path);
    writing?.stop();
    await writing?.done;
  }

  async #must(userid: number, id: string): Promise<Found> {
    const found = await this.#find(userid, id);
    if (found === undefined) throw notFound('Upload');
    return found;
  }

  async #find(userid: number, id: string): Promise<Found | undefined> {
    return (await this.#list(userid, id))[0];
  }

  /** The uploads of a person; `only`: only the one with this id. */
  async #list(userid: number, only?: string): Promise<Found[]> {
    const names = await readdir(this.#folderOf(userid)).catch((error: unknown) => gone(error) ?? []);
    const found: Found[] = [];
    for (const name of names) {
      const [id = '', size] = name.split('.');
      if (only !== undefined && id !== only) continue;
      const path = join(this.#folderOf(userid), name);
      const about = await stat(path).catch(gone);
      if (about === undefined) continue;
      const expires_date = Math.ceil(about.mtimeMs / 1000) + keepUploadSeconds;
      found.push({ path, state: { upload: id, offset: about.size, size: Number(size), expires_date } });
    }
    return found;
  }

  #folderOf(userid: number): string {
    return join(this.#folder, String(userid));
  }
}

/** Returns undefined for ENOENT, for use with `catch`; throws any other error. */
function gone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
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
