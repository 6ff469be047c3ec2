import { mostParts } from './parts.ts';

/**
 * A JPEG without metadata about camera, location and author, and without data after the picture; the picture itself is
 * unchanged. Undefined if the file is malformed or has too many segments.
 *
 * - MEDIA-8 The location where a picture or video was taken is not stored: GPS data is removed, and nothing else in
 *   the file changes.
 */
export function withoutMetadata(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  let parts = 0;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    parts += 1;
    if (parts > mostParts) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return undefined;
    if (marker === 0xda) {
      const scanEnd = endOfScan(bytes, end);
      if (scanEnd === undefined) return undefined;
      kept.push(bytes.subarray(at, scanEnd));
      at = scanEnd;
      if (bytes[at + 1] === 0xd9) return joined([...kept, bytes.subarray(at, at + 2)], bytes);
      continue;
    }
    if (isPartOfPicture(bytes, at, marker)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** Concatenates the parts; returns `bytes` itself if nothing was removed. */
function joined(parts: readonly Buffer[], bytes: Buffer): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return size === bytes.length ? bytes : Buffer.concat(parts, size);
}

/** Whether a segment belongs to the picture: frames, tables, the JFIF and Adobe headers, the colour profile. */
function isPartOfPicture(bytes: Buffer, at: number, marker: number): boolean {
  const isComment = marker === 0xfe;
  const isApplication = marker >= 0xe0 && marker <= 0xef;
  if (!isApplication) return !isComment;
  if (marker === 0xe2) return bytes.toString('latin1', at + 4, at + 15) === 'ICC_PROFILE';
  return marker === 0xe0 || marker === 0xee;
}

/**
 * Maximum number of escaped bytes in a scan. In compressed data one byte in 256 is escaped: the largest files have a
 * third of this.
 */
const mostStuffed = 1_000_000;

/** The position of the next marker after the compressed data; undefined if the data has too many escaped bytes. */
function endOfScan(bytes: Buffer, from: number): number | undefined {
  let stuffed = 0;
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = bytes[at + 1] ?? 0;
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7) || next === 0xff;
    if (!isData) return at;
    stuffed += 1;
    if (stuffed > mostStuffed) return undefined;
    at = bytes.indexOf(0xff, at + (next === 0xff ? 1 : 2));
  }
  return bytes.length;
}
