import { mostParts } from './parts.ts';

/** A box of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2). */
export interface Box {
  type: string;
  /** Where the box begins, its content begins, and both end. */
  from: number;
  content: number;
  to: number;
}

/** The boxes that stand one after another; a size that leads nowhere ends them, and so do too many. */
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

/** The box that begins at `at` by its first 16 bytes; undefined when it would not end before `to`. */
export function boxAt(file: Buffer, at: number, to: number): Box | undefined {
  const short = file.readUInt32BE(at);
  const isLong = short === 1;
  if (isLong && at + 16 > to) return undefined;
  const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
  const content = at + (isLong ? 16 : 8);
  if (at + size > to || at + size < content) return undefined;
  return { type: file.toString('latin1', at + 4, at + 8), from: at, content, to: at + size };
}
