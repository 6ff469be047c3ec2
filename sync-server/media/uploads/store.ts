import { mkdir, open, readdir, readFile, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { conflict, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { UploadState } from '#shared/sync/uploads.ts';
import { SerialByName } from '#server/platform/serial-by-name.ts';
import { sha256Of } from '#server/platform/slices.ts';

import { Allowance } from './allowance.ts';

/** What one person may have begun and not finished, all uploads together. */
export const uploadQuota = { bytes: 1024 ** 3, files: 100 } as const;
/** An upload is removed so long after its last byte came, seconds. */
export const keepUploadSeconds = 7 * 24 * 3600;
/** Free space that uploads leave to the database, bytes. */
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
  /** Bytes that are free on the disk of `folder`. */
  freeBytes?: () => Promise<number>;
  /** Bytes that one person may send within a day. Default: no limit. */
  mostPerDay?: () => number;
}

/**
 * Files on their way in, one folder per person. The name of a file holds the upload's id and its whole size, the file
 * what is there of it: nothing else has to be kept in step with it, and a restart finds what the disk holds.
 */
export class Uploads {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #freeBytes: () => Promise<number>;
  readonly #allowance: Allowance;
  readonly #writing = new Map<string, Writing>();
  /** Beginnings of uploads, by person. */
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

  /** 429 unless a person may send so many bytes more today. */
  mustHaveLeft(userid: number, bytes: number): void {
    this.#allowance.mustHave(userid, bytes);
  }

  /** Counts bytes of a file that a person sent, by whatever way; 429 when they are too many for a day. */
  count(userid: number, bytes: number): void {
    this.#allowance.count(userid, bytes);
  }

  /** Bytes of an upload as it is now; 0 where there is none. */
  async size(userid: number, id: string): Promise<number> {
    return (await this.#find(userid, id))?.state.offset ?? 0;
  }

  /**
   * Begins an upload of `size` bytes. One that is there already under this id is answered as it is.
   * @throws Problem 409 when it has another size, 429 over the quota, 503 when the disk is full
   */
  async begin(userid: number, id: string, size: number): Promise<UploadState> {
    // One after the other: the quota counts files, and two at a time would both find the room that is there for one.
    return this.#beginnings.run(userid, () => this.#begin(userid, id, size));
  }

  async #begin(userid: number, id: string, size: number): Promise<UploadState> {
    const known = await this.#find(userid, id);
    if (known?.state.size === size) return known.state;
    if (known !== undefined) throw conflict(known.state);
    await this.#mustFit(userid, size);
    await mkdir(this.#folderOf(userid), { recursive: true });
    await this.#touched(await open(join(this.#folderOf(userid), `${id}.${size}`), 'a'));
    return (await this.#must(userid, id)).state;
  }

  /** The upload as it is now. A request that is still writing to it ends first. */
  async read(userid: number, id: string): Promise<UploadState> {
    await this.#stopWriting(userid, id);
    return (await this.#must(userid, id)).state;
  }

  /**
   * Adds what `source` brings. What came before `source` broke off is kept. Resolves when it would survive a loss of
   * power.
   * @throws Problem 409 when `offset` is not where the upload ends, 422 beyond its size
   */
  async append(userid: number, id: string, offset: number, source: Readable): Promise<UploadState> {
    await this.#stopWriting(userid, id);
    const { path, state } = await this.#must(userid, id);
    // Another request may have begun to write while this one waited.
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
   * The bytes of a whole upload, checked against their SHA-256 (lower-case hexadecimal). One whose bytes are others is
   * removed, so that it can be sent anew.
   * @throws Problem 422 with a code: not there, not whole, damaged
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

  /** Removes uploads that nobody went on with. */
  async prune(): Promise<void> {
    for (const userid of (await readdir(this.#folder)).map(Number))
      for (const { state } of await this.#list(userid))
        if (state.expires_date * 1000 <= this.#now()) await this.remove(userid, state.upload);
  }

  async #write(path: string, state: UploadState, source: Readable, userid: number): Promise<void> {
    const file = await open(path, 'a');
    let offset = state.offset;
    try {
      // Not destroyed when it is too much: a refusal has to go out on its connection.
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
      await this.#touched(file);
    }
  }

  /** Closes a file that was written to just now. */
  async #touched(file: FileHandle): Promise<void> {
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

  /** A connection that broke off may not be known as broken yet: who asks for an upload has given up on it. */
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

  /** What a person has begun; `only`: the upload of this id. */
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

/** Undefined for what is not there (any more); anything else is thrown. */
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
