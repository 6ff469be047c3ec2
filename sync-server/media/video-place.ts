import { invalid } from '#shared/api/problem.ts';

import type { RandomAccess } from './incoming.ts';
import { boxAt, boxesIn, type Box } from './mp4-boxes.ts';

/** Boxes that contain boxes. */
const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'moof', 'traf', 'udta']);
/** Boxes with the location of the camera, or with telemetry (GoPro: `GPMF`). */
const placeBoxes: ReadonlySet<string> = new Set(['\xA9xyz', 'loci', 'GPMF']);
/** The id of a `uuid` box that contains XMP. */
const xmpId = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
/** Maximum nesting; no camera nests deeper. */
const mostDepth = 12;

/**
 * An MP4 or QuickTime video without its location (MEDIA-8): `udta` ©xyz and loci, the location keys of `meta`, and XMP
 * that contains GPS. These boxes become free space of the same size, so that offsets in the tables of the file stay
 * valid. A damaged file is processed up to the damage.
 */
export function withoutPlace(bytes: Uint8Array): Buffer {
  const clean = Buffer.from(bytes);
  clear(clean, 0, clean.length, 0);
  return clean;
}

/** Top-level boxes that can contain a location, and their maximum size, bytes: each is held in memory. */
const searched: ReadonlySet<string> = new Set([...containers, ...placeBoxes, 'uuid', 'meta']);
const mostSearched = 64 * 1024 * 1024;

/** Maximum number of top-level boxes: a video of a day in fragments of one second has fewer. */
const mostOutermost = 200_000;

/** Bytes that are read to parse the heads of small boxes, each of at most `headSize` bytes. */
const windowSize = 64 * 1024;
const headSize = 16;

/** Removes the location from a video file of any size. @throws Problem 422 if its tables are unreasonably large */
export async function clearPlace(file: RandomAccess): Promise<void> {
  let boxes = 0;
  let window: { from: number; bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };
  for (let at = 0; at + 8 <= file.size;) {
    boxes += 1;
    if (boxes > mostOutermost) throw invalid('body', 'The video has more parts than any film');
    if (at + headSize > window.from + window.bytes.length)
      window = { from: at, bytes: await file.read(at, windowSize) };
    const box = boxAt(window.bytes.subarray(at - window.from), 0, file.size - at);
    if (box === undefined) return;
    if (searched.has(box.type)) {
      if (box.to > mostSearched) throw invalid('body', 'The tables of the video are too large');
      const before = await file.read(at, box.to);
      const clean = withoutPlace(before);
      if (!clean.equals(before)) await file.write(at, clean);
    }
    at += box.to;
  }
}

function clear(file: Buffer, from: number, to: number, depth: number): void {
  if (depth > mostDepth) return;
  for (const box of boxesIn(file, from, to)) {
    if (placeBoxes.has(box.type)) free(file, box);
    else if (box.type === 'uuid') clearXmp(file, box);
    else if (box.type === 'meta') clearMeta(file, box);
    else if (containers.has(box.type)) clear(file, box.content, box.to, depth + 1);
  }
}

function clearXmp(file: Buffer, box: Box): void {
  const content = file.subarray(box.content, box.to);
  if (content.subarray(0, xmpId.length).equals(xmpId) && content.includes('GPS')) free(file, box);
}

/**
 * Clears location entries of a `meta` box. The type of an entry in `ilst` is the number of its key in `keys`, from 1.
 */
function clearMeta(file: Buffer, { content, to }: Box): void {
  // In ISO files the content begins with a version; in QuickTime files with the box `hdlr`.
  const isQuickTime = file.toString('latin1', content + 4, content + 8) === 'hdlr';
  const inside = boxesIn(file, isQuickTime ? content : content + 4, to);
  const keys = inside.filter((box) => box.type === 'keys').flatMap((box) => keysIn(file, box));
  for (const list of inside.filter((box) => box.type === 'ilst'))
    for (const entry of boxesIn(file, list.content, list.to)) {
      const key = keys[Buffer.from(entry.type, 'latin1').readUInt32BE() - 1];
      if (placeBoxes.has(entry.type) || key?.includes('.location.') === true) free(file, entry);
    }
}

function keysIn(file: Buffer, { content, to }: Box): string[] {
  return boxesIn(file, content + 8, to).map((box) => file.toString('latin1', box.content, box.to));
}

function free(file: Buffer, { from, content, to }: Box): void {
  file.write('free', from + 4, 'latin1');
  file.fill(0, content, to);
}
