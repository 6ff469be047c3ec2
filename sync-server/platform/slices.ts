import { createHash } from 'node:crypto';
import { setImmediate as otherRequests } from 'node:timers/promises';

/** Size of one slice, bytes: some milliseconds of work. */
const sliceBytes = 1024 * 1024;

/**
 * Yields `bytes` in slices. Between slices, the event loop continues with other requests.
 *
 * - MEDIA-15 Work that grows with the size of a file is done in slices, between which all other requests continue
 *   (hashes, checking whether it is text), or in a thread (decoding a BMP).
 */
export async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await otherRequests();
    yield bytes.subarray(at, at + sliceBytes);
  }
}

/** The SHA-256 of `before` and `bytes`, in hexadecimal. Computed in slices. */
export async function sha256Of(bytes: Uint8Array, before = ''): Promise<string> {
  const hash = createHash('sha256').update(before);
  for await (const slice of slicesOf(bytes)) hash.update(slice);
  return hash.digest('hex');
}
