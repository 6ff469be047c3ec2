import { createHash } from 'node:crypto';
import { setImmediate as otherRequests } from 'node:timers/promises';

/** Size of one slice, bytes: some milliseconds of work. */
const sliceBytes = 1024 * 1024;

/**
 * Yields `bytes` in slices. Between slices, the event loop continues with other requests.
 *
 * - MEDIA-15 Work that grows with the size of a file is done in slices, between which all other requests continue
 *   (hashes, checking whether it is text), or in a thread (decoding a BMP). So is work on a guide of thousands of
 *   lines (its import, its words for the search).
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

/** Characters in one slice, and characters that each piece of work counts in addition: some milliseconds. */
const workSlice = { characters: 50_000, each: 50 };

/**
 * Divides many small pieces of work into slices. The returned function is called before each piece, with the characters
 * that it handles (0 for a single statement of the database); when a slice is full, it lets the event loop continue with
 * other requests.
 */
export function workSlices(): (characters?: number) => Promise<void> {
  let sum = 0;
  return async (characters = 0) => {
    if (sum > workSlice.characters) {
      sum = 0;
      await otherRequests();
    }
    sum += characters + workSlice.each;
  };
}
