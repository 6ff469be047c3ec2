import { mostParts } from './parts.ts';

/** Application blocks that belong to the picture: the number of loops of an animation. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
const comment = 0xfe;
const application = 0xff;

/**
 * A GIF without comments, metadata of programs (such as XMP, which can contain the location) and data after the
 * picture. Undefined if the file is malformed or has too many blocks.
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

/** Size of the colour table, by the flags of its descriptor, bytes. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The end of the sub-blocks that begin at `from`: each begins with its length, and the last one has length 0. */
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
