import { Worker } from 'node:worker_threads';

import { slicesOf } from '#server/platform/slices.ts';

/** Pixels of a picture: three or four bytes each, from the top row to the bottom. */
export interface RawPixels {
  data: Buffer<ArrayBuffer>;
  width: number;
  height: number;
  channels: 3 | 4;
}

interface Header {
  width: number;
  height: number;
  isTopDown: boolean;
  bitsPerPixel: number;
  pixelsAt: number;
  paletteAt: number;
  colours: number;
  masks: [number, number, number, number] | null;
}

/** A BMP cannot be read: it is damaged, or of an unsupported kind. */
export class UnreadableBmp extends Error {}

/** Size of a BMP without reading its pixels. */
export function bmpSize(bytes: Buffer): { width: number; height: number } {
  const { width, height } = readHeader(bytes);
  return { width, height };
}

/**
 * Decodes a BMP (uncompressed, or with bit fields), which the image library does not support. 49 megapixels take a
 * second, so do not call it on the event loop: use `decodeBmpInThread`.
 */
export function decodeBmp(bytes: Buffer): RawPixels {
  const header = readHeader(bytes);
  const { width, height, bitsPerPixel, pixelsAt } = header;
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  if (pixelsAt + rowBytes * height > bytes.length)
    throw new UnreadableBmp('The file ends before its pixels do');
  const hasAlpha = header.masks !== null && header.masks[3] !== 0;
  const channels = hasAlpha ? 4 : 3;
  const data = Buffer.alloc(width * height * channels);
  const pixel = pixelReader(bytes, header);
  for (let y = 0; y < height; y += 1) {
    const row = pixelsAt + (header.isTopDown ? y : height - 1 - y) * rowBytes;
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = pixel(row, x);
      const to = (y * width + x) * channels;
      data[to] = red;
      data[to + 1] = green;
      data[to + 2] = blue;
      if (hasAlpha) data[to + 3] = alpha;
    }
  }
  return { data, width, height, channels };
}

function readHeader(bytes: Buffer): Header {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM') throw new UnreadableBmp('This is no BMP');
  const headerSize = bytes.readUInt32LE(14);
  const compression = bytes.readUInt32LE(30);
  const bitsPerPixel = bytes.readUInt16LE(28);
  const height = bytes.readInt32LE(22);
  const header = {
    width: bytes.readInt32LE(18),
    height: Math.abs(height),
    isTopDown: height < 0,
    bitsPerPixel,
    pixelsAt: bytes.readUInt32LE(10),
    paletteAt: 14 + headerSize,
    colours: bytes.readUInt32LE(46) || 2 ** Math.min(bitsPerPixel, 8),
    masks: masksOf(bytes, headerSize, compression, bitsPerPixel),
  };
  const isKnown =
    [1, 4, 8, 16, 24, 32].includes(bitsPerPixel) && [0, 3, 6].includes(compression) && headerSize >= 40;
  if (!isKnown) throw new UnreadableBmp('This kind of BMP is not supported');
  if (header.width < 1 || header.height < 1) throw new UnreadableBmp('The picture has no pixels');
  return header;
}

function masksOf(
  bytes: Buffer,
  headerSize: number,
  compression: number,
  bitsPerPixel: number,
): Header['masks'] {
  if (bitsPerPixel !== 16 && bitsPerPixel !== 32) return null;
  if (compression === 0) return bitsPerPixel === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
  if (bytes.length < 70) throw new UnreadableBmp('The file ends in its header');
  const hasAlphaMask = compression === 6 || headerSize >= 56;
  return [
    bytes.readUInt32LE(54),
    bytes.readUInt32LE(58),
    bytes.readUInt32LE(62),
    hasAlphaMask ? bytes.readUInt32LE(66) : 0,
  ];
}

type ReadPixel = (row: number, x: number) => [red: number, green: number, blue: number, alpha: number];

function pixelReader(bytes: Buffer, header: Header): ReadPixel {
  const { bitsPerPixel, masks, paletteAt, colours } = header;
  if (masks !== null) {
    const channels = masks.map(channelOf);
    const size = bitsPerPixel / 8;
    return (row, x) => {
      const value = bytes.readUIntLE(row + x * size, size);
      return [
        channels[0]?.(value) ?? 0,
        channels[1]?.(value) ?? 0,
        channels[2]?.(value) ?? 0,
        channels[3]?.(value) ?? 0,
      ];
    };
  }
  if (bitsPerPixel === 24) {
    return (row, x) => [
      bytes[row + x * 3 + 2] ?? 0,
      bytes[row + x * 3 + 1] ?? 0,
      bytes[row + x * 3] ?? 0,
      255,
    ];
  }
  return (row, x) => {
    const bit = x * bitsPerPixel;
    const shift = 8 - bitsPerPixel - (bit % 8);
    const index = ((bytes[row + (bit >> 3)] ?? 0) >> shift) & (2 ** bitsPerPixel - 1);
    const at = paletteAt + Math.min(index, colours - 1) * 4;
    return [bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0, 255];
  };
}

/** Returns a function that extracts the bits of a mask from a pixel and scales them to 0…255. */
function channelOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 255;
  const shift = Math.clz32(mask & -mask) ^ 31;
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) / most) * 255);
}

/** The answer of the thread. */
export type BmpAnswer = { pixels: RawPixels } | { unreadable: string };

/**
 * Decodes a BMP in a separate thread. It needs the bytes of the file and at most four bytes per pixel; the caller
 * checks the size first (`bmpSize`).
 * @throws UnreadableBmp
 */
export async function decodeBmpInThread(bytes: Buffer): Promise<RawPixels> {
  const workerData = await sharedCopy(bytes);
  const worker = new Worker(new URL('bmp-worker.ts', import.meta.url), { workerData });
  const answer = await new Promise<BmpAnswer>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread ended with ${code} and no picture`)));
  });
  if ('unreadable' in answer) throw new UnreadableBmp(answer.unreadable);
  const { data, ...size } = answer.pixels;
  // A Buffer arrives from a thread as a Uint8Array.
  return { ...size, data: Buffer.from(data.buffer, data.byteOffset, data.length) };
}

/**
 * Copies bytes to shared memory in slices. Passing 80 MB to a thread otherwise would block the event loop for 50 ms.
 */
async function sharedCopy(bytes: Buffer): Promise<SharedArrayBuffer> {
  const shared = new SharedArrayBuffer(bytes.length);
  const copy = new Uint8Array(shared);
  let at = 0;
  for await (const slice of slicesOf(bytes)) {
    copy.set(slice, at);
    at += slice.length;
  }
  return shared;
}
