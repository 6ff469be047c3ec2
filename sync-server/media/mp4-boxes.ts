import { mostParts } from './parts.ts';

/** A box of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2). */
export interface Box {
  type: string;
  /** Offsets: start of the box, start of its content, end of both. */
  from: number;
  content: number;
  to: number;
}

/** The consecutive boxes between two offsets. Ends at a box with an invalid size, or after `mostParts` boxes. */
export function boxesIn(file: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < mostParts;) {
    const box = boxAt(file, at, to);
    if (box === undefined) break;
    boxes.push(box);
    at = box.to;
  }
  return boxes;
}

/** The box at offset `at`, by its first 16 bytes; undefined if it would end after `to`. */
export function boxAt(file: Buffer, at: number, to: number): Box | undefined {
  const short = file.readUInt32BE(at);
  const isLong = short === 1;
  if (isLong && at + 16 > to) return undefined;
  const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
  const content = at + (isLong ? 16 : 8);
  if (at + size > to || at + size < content) return undefined;
  return { type: file.toString('latin1', at + 4, at + 8), from: at, content, to: at + size };
}
