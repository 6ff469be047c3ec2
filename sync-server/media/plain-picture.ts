import { withoutMetadata } from './jpeg.ts';
import { withoutPngMetadata } from './png.ts';

/** A picture without metadata. */
export interface PlainPicture {
  format: 'jpeg' | 'png';
  width: number;
  height: number;
}

/**
 * Format and size of a complete JPEG or PNG without metadata, as this server stores them: such a file is upright and
 * needs no change. Undefined for all other files, which the image library looks at: it takes ten times as long.
 */
export function plainPicture(bytes: Buffer): PlainPicture | undefined {
  if (bytes.length < 33) return undefined;
  if (bytes.readUInt32BE(0) === 0x8950_4e47 && bytes.readUInt32BE(4) === 0x0d0a_1a0a) return plainPng(bytes);
  return bytes.readUInt16BE(0) === 0xffd8 ? plainJpeg(bytes) : undefined;
}

/** The bit depths that each colour type may have (PNG specification, 11.2.1). */
const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

function plainPng(bytes: Buffer): PlainPicture | undefined {
  if (withoutPngMetadata(bytes) !== bytes) return undefined;
  const [depth = 0, colours = 0, compression, filter, interlace = 0] = bytes.subarray(24, 29);
  const isUsual = depths[colours]?.includes(depth) === true && compression === 0 && filter === 0;
  if (bytes.readUInt32BE(8) !== 13 || !isUsual || interlace > 1) return undefined;
  return sized('png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Frames with Huffman coding: baseline, extended and progressive. */
const usualFrames = [0xc0, 0xc1, 0xc2];

function plainJpeg(bytes: Buffer): PlainPicture | undefined {
  if (withoutMetadata(bytes) !== bytes) return undefined;
  let found: PlainPicture | undefined;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // The compressed data begin.
    if (marker === 0xda) return found;
    const length = bytes.readUInt16BE(at + 2);
    if (usualFrames.includes(marker)) {
      const [precision, , , , , components = 0] = bytes.subarray(at + 4, at + 10);
      if (found !== undefined || precision !== 8 || ![1, 3, 4].includes(components)) return undefined;
      if (length !== 8 + 3 * components) return undefined;
      found = sized('jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      if (found === undefined) return undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

function sized(format: PlainPicture['format'], width: number, height: number): PlainPicture | undefined {
  return width > 0 && height > 0 ? { format, width, height } : undefined;
}
