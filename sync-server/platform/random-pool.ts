// oxlint-disable-next-line no-restricted-imports -- this is where it comes from
import { randomBytes } from 'node:crypto';

/** Bytes that are drawn at a time. */
const poolSize = 4096;
/** Larger pieces are drawn by themselves. */
const largest = 64;

/**
 * Cryptographic randomness in small pieces, for the ids of requests and places of the feed: to draw each by itself takes
 * longer than all else that is done for a request that is answered again. No byte is given twice, nor stays in the pool.
 */
export function randomPool(): (size: number) => Uint8Array {
  let pool = Buffer.alloc(0);
  let used = 0;
  return (size) => {
    if (size > largest) return randomBytes(size);
    if (used + size > pool.length) {
      pool = randomBytes(poolSize);
      used = 0;
    }
    const piece = new Uint8Array(pool.subarray(used, used + size));
    pool.fill(0, used, used + size);
    used += size;
    return piece;
  };
}
