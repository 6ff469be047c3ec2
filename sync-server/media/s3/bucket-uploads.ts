// oxlint-disable-next-line no-restricted-imports -- names of objects, which nobody sees
import { randomUUID } from 'node:crypto';

import { expiryOf } from '../uploads/expiry.ts';
import type { FoundUpload, UploadBytes } from '../uploads/upload-bytes.ts';
import type { Bucket } from './bucket.ts';
import { checkedBytes } from './checked-body.ts';

/** Bytes that are stored as one object while an upload arrives, and are in memory until then. */
const pieceSize = 4 * 1024 * 1024;

/** A stored piece of an upload. */
interface Piece {
  name: string;
  /** Of its first byte in the file. */
  offset: number;
  length: number;
  /** When it arrived, UNIX ms. */
  at: number;
}

/**
 * Uploads in S3. What arrives with one request is one or more objects
 * `uploads/PERSON/ID/SIZE/OFFSET.TIME.…`, whose names and sizes are all the state: the next part of an upload may reach
 * another server.
 *
 * - BUCKET-6 An upload that one server began goes on at any other. If two servers receive bytes of the same offset, none that
 *   was acknowledged is lost.
 */
export class BucketUploads implements UploadBytes {
  readonly #bucket: Bucket;
  readonly #now: () => number;

  /** `now`: wall clock, ms. */
  constructor(bucket: Bucket, now: () => number) {
    this.#bucket = bucket;
    this.#now = now;
  }

  async people(): Promise<number[]> {
    const all = new Set<number>();
    for await (const { name } of this.#bucket.list('uploads/')) all.add(Number(name.split('/')[1]));
    return [...all];
  }

  async list(userid: number, only?: string): Promise<FoundUpload[]> {
    const found = await this.#pieces(userid, only);
    return [...found].map(([folder, pieces]) => {
      const [upload = '', size] = folder.split('/').slice(2);
      const offset = covered(pieces).reduce((sum, { until, from }) => sum + until - from, 0);
      const expires_date = expiryOf(Math.max(...pieces.map(({ at }) => at)));
      return { userid, state: { upload, offset, size: Number(size), expires_date } };
    });
  }

  async begin(userid: number, id: string, size: number): Promise<void> {
    await this.#store(userid, id, size, 0, []);
  }

  async append({ userid, state }: FoundUpload, pieces: AsyncIterable<Buffer>): Promise<void> {
    let { offset } = state;
    let waiting: Buffer[] = [];
    let length = 0;
    const flush = async (): Promise<void> => {
      await this.#store(userid, state.upload, state.size, offset, waiting);
      offset += length;
      waiting = [];
      length = 0;
    };
    try {
      for await (const piece of pieces) {
        waiting.push(piece);
        length += piece.length;
        if (length >= pieceSize) await flush();
      }
    } finally {
      if (length > 0) await flush();
    }
  }

  async read({ userid, state }: FoundUpload): Promise<Buffer> {
    const [pieces = []] = (await this.#pieces(userid, state.upload)).values();
    const whole = Buffer.allocUnsafeSlow(state.size);
    let length = 0;
    for (const { piece, from, until } of covered(pieces)) {
      const got = await this.#bucket.get(piece.name);
      const bytes = await checkedBytes(got, {
        length: piece.length,
        sha256: null,
        silentMs: this.#bucket.silentMs,
      });
      bytes.copy(whole, from, from - piece.offset, until - piece.offset);
      length = until;
    }
    return whole.subarray(0, length);
  }

  async remove({ userid, state }: FoundUpload): Promise<void> {
    for (const pieces of (await this.#pieces(userid, state.upload)).values())
      await this.#bucket.removeAll(pieces.map(({ name }) => name));
  }

  /** S3 does not say. */
  async freeBytes(): Promise<number> {
    return Infinity;
  }

  async #store(
    userid: number,
    id: string,
    size: number,
    offset: number,
    bytes: readonly Buffer[],
  ): Promise<void> {
    // Names are not taken twice, so that two servers do not replace the bytes of each other.
    const name = `uploads/${userid}/${id}/${size}/${offset}.${this.#now()}.${randomUUID()}`;
    await this.#bucket.put(name, Buffer.concat(bytes));
  }

  /** The pieces of the uploads of a person, by upload. */
  async #pieces(userid: number, only?: string): Promise<Map<string, Piece[]>> {
    const found = new Map<string, Piece[]>();
    const prefix = `uploads/${userid}/${only === undefined ? '' : `${only}/`}`;
    for await (const { name, size } of this.#bucket.list(prefix)) {
      const folder = name.slice(0, name.lastIndexOf('/'));
      const [offset, at] = name.slice(folder.length + 1).split('.');
      const pieces = found.get(folder) ?? [];
      pieces.push({ name, offset: Number(offset), length: size, at: Number(at) });
      found.set(folder, pieces);
    }
    return found;
  }
}

/** Which bytes of which pieces make up the beginning of a file, without a gap. */
function covered(pieces: readonly Piece[]): { piece: Piece; from: number; until: number }[] {
  const parts: { piece: Piece; from: number; until: number }[] = [];
  let from = 0;
  for (;;) {
    const next = pieces
      .filter((piece) => piece.offset <= from && piece.offset + piece.length > from)
      .toSorted((a, b) => b.offset + b.length - (a.offset + a.length))[0];
    if (next === undefined) return parts;
    const until = next.offset + next.length;
    parts.push({ piece: next, from, until });
    from = until;
  }
}
