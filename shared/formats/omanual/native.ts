import { inflateSync } from 'fflate';

type Bytes = Uint8Array<ArrayBuffer>;

/** Unpacks a deflated member that is held as a whole; null when more than `most` bytes come out. Throws on damage. */
export type InflateWhole = (packed: Bytes, most: number) => Bytes | null;

let inflateInUse: InflateWhole = plainInflate;

/** Takes a faster one that the surroundings have, such as that of Node, which this library does not reach by itself. */
export function replaceInflate(faster: InflateWhole): void {
  // “aaaaaaaaaa”, packed.
  const packed = Uint8Array.of(0x4b, 0x4c, 0x84, 0x01, 0x00);
  const isRight = faster(packed, 10)?.every((byte) => byte === 0x61) === true && faster(packed, 9) === null;
  if (!isRight) throw new Error('That does not inflate');
  inflateInUse = faster;
}

export function inflateWhole(packed: Bytes, most: number): Bytes | null {
  return inflateInUse(packed, most);
}

/** The same in plain script. */
export function plainInflate(packed: Bytes, most: number): Bytes | null {
  // One byte more than may come, so that more is noticed.
  const bytes = inflateSync(packed, { out: new Uint8Array(most + 1) }) as Bytes;
  return bytes.length > most ? null : bytes;
}

/** SHA-256 in lower-case hexadecimal. */
export type Sha256 = (bytes: Bytes) => string | Promise<string>;

let sha256InUse: Sha256 = plainSha256;

/** Takes a faster one that the surroundings have, such as that of Node, which this library does not reach by itself. */
export function replaceSha256(faster: (bytes: Bytes) => string): void {
  const known = faster(new TextEncoder().encode('abc'));
  if (known !== 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    throw new Error('That is no SHA-256');
  sha256InUse = faster;
}

/** SHA-256 in lower-case hexadecimal, as members carry it. */
export async function sha256(bytes: Bytes): Promise<string> {
  return sha256InUse(bytes);
}

/** The same as every browser has it. */
export async function plainSha256(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
