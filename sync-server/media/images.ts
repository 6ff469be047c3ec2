import { createHash } from 'node:crypto';
import sharp, { type Metadata, type Sharp } from 'sharp';

import { invalid, Problem } from '#shared/api/problem.ts';
import { imageSizes, type ImageSize } from '#shared/model/image.ts';
import { maxPixels } from '#shared/model/upload-limits.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';

import { decodeBmpInThread, bmpSize, UnreadableBmp } from './bmp.ts';
import { readExif, type Exif } from './exif.ts';
import { withoutMetadata } from './jpeg.ts';
import { withoutGifMetadata } from './gif.ts';
import { withoutPngMetadata } from './png.ts';
import type { Blobs } from './blobs.ts';
import type { StoredFile } from './stored-file.ts';

/** Formats that are stored and served. TIFF and BMP are converted to PNG, because browsers do not show them. */
export type ImageFormat = 'jpeg' | 'png' | 'gif';

export const imageTypes: Record<ImageFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
};

export type Ratio = 'ONE_ONE' | 'FOUR_THREE' | 'VARIABLE';

/** An upload ready to be stored: upright, without location and other metadata. */
export interface PreparedImage {
  bytes: Buffer;
  format: ImageFormat;
  width: number;
  height: number;
  exif: Exif;
}

const signatures: [format: ImageFormat | 'tiff' | 'bmp', bytes: number[]][] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['bmp', [0x42, 0x4d]],
];

const options = { limitInputPixels: maxPixels, failOn: 'truncated' } as const;

/**
 * The queue of work on pictures. A picture of 50 megapixels needs up to 0.6 GB. An import requests one at a time, and
 * linked ones together.
 *
 * - MEDIA-16 Two pictures are decoded at a time, and callers take turns (BUDGET-1); waiting pictures are not in
 *   memory. If 40 uploads of a person, 200 sizes of an address, or 500 pictures in total are waiting, the answer is
 *   503 with `Retry-After`.
 */
const queue = new FairQueue({ parallel: 2, mostWaiting: 500, mostOfOne: 40, retryAfterSeconds: 5 });

/** Maximum number of waiting sizes of one caller: pages request many, and a workshop may share an address. */
const mostSizesOfOne = 200;

/** Time limit for work on one picture, seconds. */
const timeoutSeconds = 20;

/**
 * How a picture is checked: `decoded`, or `whole` (only parsed from its header to its end). With `whole`, a picture
 * that cannot be decoded is detected when it is first shown.
 *
 * - MEDIA-12 A picture of an archive is parsed from its header to its end. It is decoded only if it must be encoded
 *   again.
 */
export type Checking = 'decoded' | 'whole';

/**
 * Prepares an upload for storing. The format follows from its content (specification: JPEG, GIF, PNG, BMP or TIFF).
 * `caller`: the owner of the work in the queue (`callerOf`).
 * @throws Problem 422 for other formats, for more than 50 megapixels, and for a file that is incomplete or cannot be decoded
 */
export async function prepareImage(
  caller: string,
  bytes: Buffer,
  crop: Ratio,
  checking: Checking = 'decoded',
): Promise<PreparedImage> {
  return asProblem(async () => {
    const { format, found, ready } = await inspected(bytes, crop);
    if (format === 'bmp') return queue.run(caller, () => prepareBmp(bytes, crop));
    if (ready === undefined) return queue.run(caller, () => prepare(bytes, format, found, crop));
    if (checking === 'decoded') await queue.run(caller, () => decodes(ready.bytes));
    return ready;
  });
}

/**
 * The same for a picture that can be stored as it is, checked as a `whole`; undefined if it must be encoded again. No
 * pixel is decoded.
 * @throws Problem 422 like `prepareImage`
 */
export function readyImage(bytes: Buffer): Promise<PreparedImage | undefined> {
  return asProblem(async () => (await inspected(bytes, 'VARIABLE')).ready);
}

type Inspected =
  | { format: ImageFormat | 'tiff'; found: Metadata; ready: PreparedImage | undefined }
  | { format: 'bmp'; found?: never; ready?: never };

async function inspected(bytes: Buffer, crop: Ratio): Promise<Inspected> {
  const format = signatures.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0];
  if (format === undefined) throw invalid('body', 'Send a JPEG, GIF, PNG, BMP or TIFF file');
  if (format === 'bmp') return { format };
  const found = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
  return { format, found, ready: readyAsIs(bytes, format, found, crop) };
}

/** Turns the errors of unreadable pictures into a Problem. */
async function asProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const isBroken = error instanceof UnreadableBmp || (error instanceof Error && !('code' in error));
    if (isBroken) throw invalid('body', `The picture cannot be read: ${error.message}`);
    throw error;
  }
}

async function prepareBmp(bytes: Buffer, crop: Ratio): Promise<PreparedImage> {
  refuseHuge(bmpSize(bytes));
  const { data, ...raw } = await decodeBmpInThread(bytes);
  try {
    return await encoded(sharp(data, { ...options, raw }), 'png', raw, crop, {});
  } finally {
    // Up to 200 MB, which should not wait for a garbage collection while the next picture is decoded.
    data.buffer.transfer(0);
  }
}

/** An upload that can be stored as it is, after removing metadata; undefined: it must be encoded again. */
function readyAsIs(
  bytes: Buffer,
  format: ImageFormat | 'tiff',
  found: Metadata,
  crop: Ratio,
): PreparedImage | undefined {
  refuseHuge(found);
  const { width, height } = found.autoOrient;
  const isUpright = (found.orientation ?? 1) === 1;
  if (format === 'tiff' || !isUpright || cropArea({ width, height }, crop) !== undefined) return undefined;
  const clean = without[format](bytes);
  return clean === undefined
    ? undefined
    : { bytes: clean, format, width, height, exif: readExif(found.exif) };
}

/** Functions that remove metadata and parse a file to its end; they return undefined for malformed files. */
const without = { jpeg: withoutMetadata, png: withoutPngMetadata, gif: withoutGifMetadata } as const;

async function decodes(bytes: Buffer): Promise<void> {
  await sharp(bytes, options).timeout({ seconds: timeoutSeconds }).resize(imageSizes.mini).toBuffer();
}

async function prepare(
  bytes: Buffer,
  format: ImageFormat | 'tiff',
  found: Metadata,
  crop: Ratio,
): Promise<PreparedImage> {
  const exif = readExif(found.exif);
  const upright = found.autoOrient;
  if (pixelsOf(found) > maxPixels) throw invalid('body', 'The animation has more than 50 megapixels');
  const picture = sharp(bytes, { ...options, animated: format === 'gif' })
    .autoOrient()
    .keepIccProfile();
  return encoded(picture, format === 'tiff' ? 'png' : format, upright, crop, exif);
}

/**
 * Refuses what would take too much memory.
 *
 * - MEDIA-7 A picture of more than 50 megapixels is refused before it is decoded.
 */
function refuseHuge({ width, height }: { width: number; height: number }): void {
  if (width * height > maxPixels) throw invalid('body', 'The picture has more than 50 megapixels');
}

async function encoded(
  picture: Sharp,
  format: ImageFormat,
  size: { width: number; height: number },
  crop: Ratio,
  exif: Exif,
): Promise<PreparedImage> {
  const area = cropArea(size, crop);
  const cropped = area === undefined ? picture : picture.extract(area);
  const bytes = await inFormat(cropped, format, 92).timeout({ seconds: timeoutSeconds }).toBuffer();
  return { bytes, format, width: area?.width ?? size.width, height: area?.height ?? size.height, exif };
}

function inFormat(picture: Sharp, format: ImageFormat, quality: number): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality, chromaSubsampling: '4:4:4' });
    case 'png':
      return picture.png();
    default:
      return picture.gif();
  }
}

/** The largest centred area with the given ratio; undefined if nothing has to be cropped. */
function cropArea(
  { width, height }: { width: number; height: number },
  crop: Ratio,
): { left: number; top: number; width: number; height: number } | undefined {
  if (crop === 'VARIABLE') return undefined;
  const ratio = crop === 'ONE_ONE' ? 1 : 4 / 3;
  const cutWidth = Math.max(1, Math.min(width, Math.round(height * ratio)));
  const cutHeight = Math.max(1, Math.min(height, Math.round(width / ratio)));
  if (cutWidth === width && cutHeight === height) return undefined;
  return {
    left: Math.floor((width - cutWidth) / 2),
    top: Math.floor((height - cutHeight) / 2),
    width: cutWidth,
    height: cutHeight,
  };
}

/** The ratio of a size, within half a percent. */
export function ratioOf({ width, height }: { width: number; height: number }): Ratio {
  const isNear = (ratio: number): boolean => height > 0 && Math.abs(width / height / ratio - 1) < 0.005;
  if (isNear(1)) return 'ONE_ONE';
  return isNear(4 / 3) ? 'FOUR_THREE' : 'VARIABLE';
}

/** Pixels of all frames. */
function pixelsOf({ width, height, pages = 1 }: Metadata): number {
  return width * height * pages;
}

/** A stored picture rotated clockwise. */
export async function turnImage(
  caller: string,
  bytes: Buffer,
  format: ImageFormat,
  degrees: 90 | 180 | 270,
): Promise<Omit<PreparedImage, 'exif'>> {
  return queue.run(caller, async () => {
    const { data, info } = await inFormat(sharp(bytes, options).rotate(degrees).keepIccProfile(), format, 92)
      .timeout({ seconds: timeoutSeconds })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, format, width: info.width, height: info.height };
  });
}

/**
 * A stored picture in one of the named sizes: within its box, never enlarged. An animation with too many pixels
 * becomes a still picture. `read`: returns its bytes; it is called at the turn of `caller`, so that waiting pictures
 * are not in memory.
 * @throws Problem 404 if it cannot be decoded
 */
export function resizeImage(
  caller: string,
  read: () => Promise<Buffer>,
  format: ImageFormat,
  size: ImageSize,
): Promise<Buffer> {
  const work = async (): Promise<Buffer> => {
    const bytes = await read();
    try {
      return await resized(bytes, format, size);
    } catch (error) {
      if (error instanceof Problem || (error instanceof Error && 'code' in error)) throw error;
      throw new Problem('not-found', 'The picture cannot be read', {});
    }
  };
  return queue.run(caller, work, mostSizesOfOne);
}

async function resized(bytes: Buffer, format: ImageFormat, size: ImageSize): Promise<Buffer> {
  const animated = format === 'gif' && pixelsOf(await sharp(bytes).metadata()) <= maxPixels;
  const picture = sharp(bytes, { ...options, animated })
    .timeout({ seconds: timeoutSeconds })
    .resize({ ...imageSizes[size], fit: 'inside', withoutEnlargement: true });
  return inFormat(picture, format, 82).toBuffer();
}

/** Renders an SVG as a JPEG that fits into `box`. */
export function rasterize(
  caller: string,
  svg: () => Promise<string>,
  box: { width: number; height: number },
): Promise<Buffer> {
  const work = async (): Promise<Buffer> => {
    const source = Buffer.from(await svg());
    const { width } = await sharp(source).metadata();
    const density = Math.max(1, Math.min(600, (72 * box.width) / width));
    const picture = sharp(source, { density, limitInputPixels: maxPixels })
      .timeout({ seconds: timeoutSeconds })
      .resize({ ...box, fit: 'inside' })
      .flatten({ background: '#ffffff' });
    return inFormat(picture, 'jpeg', 85).toBuffer();
  };
  return queue.run(caller, work, mostSizesOfOne);
}

/** A drawing as a JPEG, rendered when first needed. `identity`: what is drawn; `name` and `box`: its size. */
export function drawnPicture(
  caller: string,
  blobs: Blobs,
  identity: string,
  svg: () => Promise<string>,
  box: { width: number; height: number },
  name = 'full',
): Promise<StoredFile> {
  return blobs.derived(drawnHash(identity), `drawn-${name}`, () => rasterize(caller, svg, box));
}

/** The hash under which a drawing is stored. `identity`: what it shows. */
export function drawnHash(identity: string): string {
  return createHash('sha256').update(identity).digest('hex');
}
