import { boxesIn, type Box } from './mp4-boxes.ts';
import { mostParts } from './parts.ts';

/** Duration of a video in milliseconds and its size in pixels; 0 if the file does not state it. */
export interface VideoMeasures {
  duration: number;
  width: number;
  height: number;
}

const most = 2 ** 31 - 1;

/**
 * Reads duration and size from the header of an MP4, QuickTime (`mvhd`, `tkhd`; ISO/IEC 14496-12, 8.2.2 and 8.3.2) or
 * WebM file (RFC 9559). A damaged file is read up to the damage. Other formats return zeros.
 *
 * - MEDIA-9 A video has its duration and size if its header states them, and a preview picture.
 */
export function measuresOf(file: Buffer): VideoMeasures {
  const read = file.readUInt32BE(0) === ebmlMagic ? webmMeasures(file) : mp4Measures(file);
  const whole = (value: number): number =>
    Number.isFinite(value) && value > 0 && value <= most ? Math.round(value) : 0;
  return { duration: whole(read.duration), width: whole(read.width), height: whole(read.height) };
}

function mp4Measures(file: Buffer): VideoMeasures {
  const inside = (box: Box): Box[] => boxesIn(file, box.content, box.to);
  const [moov] = boxesIn(file, 0, file.length).filter(({ type }) => type === 'moov');
  if (moov === undefined) return { duration: 0, width: 0, height: 0 };
  const [head] = inside(moov).filter(({ type, content, to }) => type === 'mvhd' && to - content >= 32);
  const tracks = inside(moov)
    .filter(({ type }) => type === 'trak')
    .flatMap(inside)
    .filter(({ type, content, to }) => type === 'tkhd' && to - content >= 84);
  // The last eight bytes are width and height as 16.16 fixed point; sound tracks have 0.
  const sizes = tracks.map(({ to }) => ({
    width: file.readUInt32BE(to - 8) / 65_536,
    height: file.readUInt32BE(to - 4) / 65_536,
  }));
  const largest = sizes.toSorted((one, other) => other.width - one.width)[0] ?? { width: 0, height: 0 };
  return { duration: head === undefined ? 0 : durationOf(file, head), ...largest };
}

/** Duration in ms. Version 1 of the box has dates and duration of eight bytes, version 0 of four. */
function durationOf(file: Buffer, { content }: Box): number {
  const isLong = file[content] === 1;
  const scaleAt = content + (isLong ? 20 : 12);
  const units = isLong ? Number(file.readBigUInt64BE(scaleAt + 4)) : file.readUInt32BE(scaleAt + 4);
  return (units / file.readUInt32BE(scaleAt)) * 1000;
}

/** Maximum nesting of elements that is read; the header of a WebM file needs fewer levels. */
const deepest = 8;

const ebmlMagic = 0x1a45dfa3;
const segment = 0x18538067;
const webmContainers = new Set([segment, 0x1549a966, 0x1654ae6b, 0xae, 0xe0]);
const cluster = 0x1f43b675;
const timestampScale = 0x2ad7b1;
const webmDuration = 0x4489;
const pixelWidth = 0xb0;
const pixelHeight = 0xba;

function webmMeasures(file: Buffer): VideoMeasures {
  const found = new Map<number, number>([[timestampScale, 1_000_000]]);
  readElements(file, 0, file.length, found);
  const units = found.get(webmDuration) ?? 0;
  return {
    duration: (units * (found.get(timestampScale) ?? 0)) / 1_000_000,
    width: found.get(pixelWidth) ?? 0,
    height: found.get(pixelHeight) ?? 0,
  };
}

/** Reads the numbers of the header into `found`. Ends at the clusters, which contain the frames. */
function readElements(
  file: Buffer,
  from: number,
  to: number,
  found: Map<number, number>,
  read = { parts: 0 },
  depth = 0,
): void {
  for (let at = from; at < to;) {
    read.parts += 1;
    if (read.parts > mostParts || depth > deepest) return;
    const id = varint(file, at, true);
    const size = id === null ? null : varint(file, at + id.bytes, false);
    if (id === null || size === null || id.value === cluster) return;
    const content = at + id.bytes + size.bytes;
    // A size with all bits set means unknown: the element extends to the end.
    const end = size.isUnknown ? to : content + size.value;
    if (end > to || content > end) return;
    if (webmContainers.has(id.value)) readElements(file, content, end, found, read, depth + 1);
    else keep(file, id.value, content, end, found);
    at = end;
  }
}

function keep(file: Buffer, id: number, content: number, end: number, found: Map<number, number>): void {
  const bytes = end - content;
  if (id === webmDuration && (bytes === 4 || bytes === 8))
    found.set(id, bytes === 4 ? file.readFloatBE(content) : file.readDoubleBE(content));
  const isNumber = id === timestampScale || id === pixelWidth || id === pixelHeight;
  if (isNumber && bytes >= 1 && bytes <= 6) found.set(id, file.readUIntBE(content, bytes));
}

/** A variable-length integer (RFC 8794, 4). Ids include the marker bit. */
function varint(
  file: Buffer,
  at: number,
  isId: boolean,
): { value: number; bytes: number; isUnknown: boolean } | null {
  const first = file[at];
  if (first === undefined || first === 0) return null;
  const bytes = Math.clz32(first) - 23;
  if (at + bytes > file.length || bytes > (isId ? 4 : 8)) return null;
  let value = isId ? first : first & (0xff >> bytes);
  let isUnknown = !isId && value === 0xff >> bytes;
  for (const byte of file.subarray(at + 1, at + bytes)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value, bytes, isUnknown };
}
