// oxlint-disable-next-line no-restricted-imports -- the source of the injected randomness
import { randomBytes } from 'node:crypto';
import { v4 } from 'uuid';

/** Size of the pool, bytes. */
const poolSize = 4096;
/** Larger pieces, bytes, do not come from the pool. */
const largest = 64;

/**
 * Returns a function for cryptographic randomness that draws small pieces from a pool, for example for request ids: a
 * system call for each takes longer than everything else that a cached response needs. No byte is returned twice, and
 * returned bytes are erased from the pool.
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

const guidCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new guid of 16 letters and digits (API facts 1.1). `randomBytes` is cryptographic. */
export function newGuid(randomBytes: (size: number) => Uint8Array): string {
  let guid = '';
  while (guid.length < 16) {
    for (const byte of randomBytes(24))
      if (byte < guidCharacters.length * 4 && guid.length < 16)
        guid += guidCharacters[byte % guidCharacters.length] ?? '';
  }
  return guid;
}

/** A new UUID (version 4). `randomBytes` is cryptographic. */
export function newUuid({ randomBytes }: { randomBytes: (size: number) => Uint8Array }): string {
  return v4({ random: randomBytes(16) });
}

/** Letters and digits that are not easily confused. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A random password that people read from a screen: three groups of four characters, about 59 bits. */
export function readablePassword(randomBytes: (size: number) => Uint8Array): string {
  const letters: string[] = [];
  while (letters.length < 12) {
    for (const byte of randomBytes(16)) {
      // Larger bytes are skipped: they would make some characters more likely than others.
      if (byte < 248 && letters.length < 12) letters.push(readable[byte % readable.length] ?? '');
    }
  }
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)]
    .map((group) => group.join(''))
    .join('-');
}
