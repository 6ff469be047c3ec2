import { createHash } from 'node:crypto';
import { setImmediate as others } from 'node:timers/promises';

/** Bytes of one slice: some milliseconds of work. */
const sliceBytes = 1024 * 1024;

/** Pieces of bytes; between them all other requests go on. */
export async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await others();
    yield bytes.subarray(at, at + sliceBytes);
  }
}

/** The SHA-256 of bytes of any number, in hexadecimal; `before` comes first. */
export async function sha256Of(bytes: Uint8Array, before = ''): Promise<string> {
  const hash = createHash('sha256').update(before);
  for await (const slice of slicesOf(bytes)) hash.update(slice);
  return hash.digest('hex');
}
