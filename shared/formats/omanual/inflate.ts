import { inflateSync } from 'fflate';

type Bytes = Uint8Array<ArrayBuffer>;

/** Unpacks a deflated member that is held as a whole; null when more than `most` bytes come out. Throws on damage. */
export type InflateWhole = (packed: Bytes, most: number) => Bytes | null;

let inUse: InflateWhole = plainInflate;

/** Takes a faster one that the surroundings have, such as that of Node, which this library does not reach by itself. */
export function replaceInflate(faster: InflateWhole): void {
  // “aaaaaaaaaa”, packed.
  const packed = Uint8Array.of(0x4b, 0x4c, 0x84, 0x01, 0x00);
  const isRight = faster(packed, 10)?.every((byte) => byte === 0x61) === true && faster(packed, 9) === null;
  if (!isRight) throw new Error('That does not inflate');
  inUse = faster;
}

export function inflateWhole(packed: Bytes, most: number): Bytes | null {
  return inUse(packed, most);
}

/** The same in plain script. */
export function plainInflate(packed: Bytes, most: number): Bytes | null {
  // One byte more than may come, so that more is noticed.
  const bytes = inflateSync(packed, { out: new Uint8Array(most + 1) }) as Bytes;
  return bytes.length > most ? null : bytes;
}
