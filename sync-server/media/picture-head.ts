import type { ImageFormat } from './images.ts';
import { mostParts } from './parts.ts';

/** What the head of a picture says. */
export interface PictureHead {
  width: number;
  height: number;
  /** The block with what the camera wrote. */
  exif: Buffer | undefined;
}

/**
 * Reads the head of a picture as far as that is plain: upright, of a usual kind. Undefined for everything else, which a
 * decoder must look at. That the picture is whole is not said by its head.
 */
export function pictureHead(bytes: Buffer, format: ImageFormat): PictureHead | undefined {
  try {
    const head = { jpeg: jpegHead, png: pngHead, gif: gifHead }[format](bytes);
    return head === undefined || head.width === 0 || head.height === 0 ? undefined : head;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const startOfData = 0xda;

/** Baseline and progressive frames of 8 bits, grey, colour or CMYK. */
function jpegHead(bytes: Buffer): PictureHead | undefined {
  let size: { width: number; height: number } | undefined;
  let exif: Buffer | undefined;
  let parts = 0;
  for (let at = 2; bytes[at] === 0xff;) {
    parts += 1;
    if (parts > mostParts) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === startOfData)
      return size === undefined || (exif !== undefined && turnedBy(exif) !== 1)
        ? undefined
        : { ...size, exif };
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      exif ??= bytes.subarray(at + 4, end);
    else if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      const isUsual = bytes[at + 4] === 8 && [1, 3, 4].includes(bytes[at + 9] ?? 0);
      if (!isUsual || size !== undefined) return undefined;
      size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else if (!isTable(marker)) return undefined;
    at = end;
  }
  return undefined;
}

/** Tables, blocks of programs and comments; not the kinds of frames that hardly any program writes. */
function isTable(marker: number): boolean {
  return marker === 0xc4 || (marker >= 0xdb && marker <= 0xfe);
}

/** Depths that each kind of colour may have (PNG, table 11.1). */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

function pngHead(bytes: Buffer): PictureHead | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const depth = depths[bytes[25] ?? -1] ?? [];
  const isUsual = depth.includes(bytes[24] ?? 0) && bytes.readUInt16BE(26) === 0 && (bytes[28] ?? 2) < 2;
  // One that tells about its camera may be turned.
  if (!isUsual || bytes.includes('eXIf')) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), exif: undefined };
}

function gifHead(bytes: Buffer): PictureHead | undefined {
  const isUsual = /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6));
  return isUsual
    ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), exif: undefined }
    : undefined;
}

/** The orientation in a block of Exif: 1 is upright; 0 where it cannot be told. */
function turnedBy(block: Buffer): number {
  const tiff = block.subarray(6);
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 0;
  const isLittle = order === 'II';
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = short(start);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return 1;
}
