import { mostParts } from './parts.ts';

/** Application blocks that belong to the picture: how often an animation runs. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
const comment = 0xfe;
const application = 0xff;

/**
 * A GIF without comments, without what programs wrote about it (XMP with the place among it) and without what follows
 * the picture. Undefined when the file is not built as a GIF should be, or of more parts than it would.
 */
export function withoutGifMetadata(bytes: Buffer): Buffer | undefined {
  let at = 13 + colourTable(bytes[10] ?? 0);
  const kept: Buffer[] = [bytes.subarray(0, at)];
  let blocks = 0;
  while (at < bytes.length) {
    const start = at;
    if (bytes[at] === trailer) return Buffer.concat([...kept, bytes.subarray(at, at + 1)]);
    if (bytes[at] === extension) at = endOfBlocks(bytes, at + 2);
    else if (bytes[at] === image) at = endOfBlocks(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
    else return undefined;
    if (isPartOfPicture(bytes, start)) kept.push(bytes.subarray(start, at));
    blocks += 1;
    if (blocks > mostParts) return undefined;
  }
  return undefined;
}

/** Bytes of the colour table that these flags announce. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Where the blocks that begin here are over: each says its length, and one of length 0 is the last. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

function isPartOfPicture(bytes: Buffer, at: number): boolean {
  if (bytes[at] === image) return true;
  if (bytes[at + 1] === application) return loops.includes(bytes.toString('latin1', at + 3, at + 14));
  return bytes[at + 1] !== comment;
}
