import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { Got } from './bucket.ts';
import { BrokenRead } from '../broken-read.ts';

interface Expected {
  /** Bytes. */
  length: number;
  /** SHA-256, if all bytes of a file are read. */
  sha256: string | null;
  /** Longest time without a byte while more are wanted, ms. */
  silentMs: number;
}

/**
 * The bytes of an object, checked while they are read.
 *
 * - BUCKET-2 A file that is read whole must have the SHA-256 by which it is stored; a range must have its length. The last
 *   piece is passed on only then, so that nobody takes other bytes for the complete file.
 */
export function checkedBody(got: Got, expected: Expected): Readable {
  return Readable.from(pieces(got, expected), { objectMode: false, highWaterMark: 256 * 1024 });
}

/** All bytes of a checked body. */
export async function checkedBytes(got: Got, expected: Expected): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(expected.length);
  let length = 0;
  for await (const piece of pieces(got, expected)) {
    bytes.set(piece, length);
    length += piece.length;
  }
  return bytes;
}

async function* pieces(
  { body, length }: Got,
  { length: wanted, sha256, silentMs }: Expected,
): AsyncGenerator<Buffer> {
  if (length !== wanted) {
    body.destroy();
    throw new BrokenRead(`S3 has ${length} bytes instead of ${wanted}`);
  }
  const hash = sha256 === null ? null : createHash('sha256');
  let received = 0;
  let held: Buffer | undefined;
  try {
    for await (const piece of bounded(body, silentMs)) {
      received += piece.length;
      if (received > wanted) throw new BrokenRead('S3 sent too much');
      hash?.update(piece);
      if (held !== undefined) yield held;
      held = piece;
    }
    if (received !== wanted) throw new BrokenRead(`S3 sent ${received} of ${wanted} bytes`);
    if (hash !== null && hash.digest('hex') !== sha256)
      throw new BrokenRead(`What S3 sent is not the file ${sha256}`);
    if (held !== undefined) yield held;
  } finally {
    body.destroy();
  }
}

/** The pieces of a body; fails if one does not arrive in time. A slow reader does not count. */
async function* bounded(body: Readable, silentMs: number): AsyncGenerator<Buffer> {
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const silence = setTimeout(() => body.destroy(new BrokenRead('S3 stopped sending')), silentMs);
    const next = await iterator.next().finally(() => clearTimeout(silence));
    if (next.done === true) return;
    yield next.value;
  }
}
