import { crc32 } from 'node:zlib';

import { mostParts } from './parts.ts';

const signature = 8;
/** Chunks that belong to the picture and its animation frames. All others are metadata. */
const pictureChunks: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);

/**
 * A PNG without texts, dates and other metadata, and without data after the picture; the picture itself is unchanged.
 * Undefined if the file is incomplete or malformed, or a checksum is wrong.
 */
export function withoutPngMetadata(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [bytes.subarray(0, signature)];
  for (let at = signature; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (parts.length > mostParts) return undefined;
    if (end > bytes.length) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at === signature && type !== 'IHDR') return undefined;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    if (pictureChunks.has(type)) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') return isSame(parts, bytes.length) ? bytes : Buffer.concat(parts);
    at = end;
  }
  return undefined;
}

/** Whether nothing was removed. */
function isSame(parts: readonly Buffer[], size: number): boolean {
  return parts.reduce((sum, part) => sum + part.length, 0) === size;
}
