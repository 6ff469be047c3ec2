import { inflateSync } from 'fflate';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Inflates a member that is in memory as a whole. Null when the result has more than `most` bytes. Throws for damaged
 * data.
 */
export type InflateWhole = (packed: Bytes, most: number) => Bytes | null;

let inflateInUse: InflateWhole = plainInflate;

/** Installs a faster implementation of the platform, such as that of Node. The library does not import it itself. */
export function replaceInflate(faster: InflateWhole): void {
  // “aaaaaaaaaa”, deflated.
  const packed = Uint8Array.of(0x4b, 0x4c, 0x84, 0x01, 0x00);
  const isRight = faster(packed, 10)?.every((byte) => byte === 0x61) === true && faster(packed, 9) === null;
  if (!isRight) throw new Error('That does not inflate');
  inflateInUse = faster;
}

/** Inflates with the installed implementation. */
export function inflateWhole(packed: Bytes, most: number): Bytes | null {
  return inflateInUse(packed, most);
}

/** The implementation in plain JavaScript. */
export function plainInflate(packed: Bytes, most: number): Bytes | null {
  // One byte more than allowed, so that a longer result is noticed.
  const bytes = inflateSync(packed, { out: new Uint8Array(most + 1) }) as Bytes;
  return bytes.length > most ? null : bytes;
}

/** Computes the SHA-256 of bytes in lower-case hexadecimal. */
export type Sha256 = (bytes: Bytes) => string | Promise<string>;

let sha256InUse: Sha256 = plainSha256;

/** Installs a faster implementation of the platform, such as that of Node. The library does not import it itself. */
export function replaceSha256(faster: (bytes: Bytes) => string): void {
  const known = faster(new TextEncoder().encode('abc'));
  if (known !== 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    throw new Error('That is no SHA-256');
  sha256InUse = faster;
}

/** The SHA-256 of bytes in lower-case hexadecimal. */
export async function sha256(bytes: Bytes): Promise<string> {
  return sha256InUse(bytes);
}

/** The implementation with the Web Crypto API, which every platform has. */
export async function plainSha256(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
