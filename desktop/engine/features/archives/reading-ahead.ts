import type { ByteSource } from '#shared/formats/omanual/source.ts';

/** Read at once, from a multiple of it. */
const windowBytes = 1024 * 1024;

/** Reads of more than this go through as they are. */
const longestRead = 128 * 1024;

/** After so many small reads in one megabyte more are expected there. */
const fewReads = 1;

/** Windows that are kept: a guide has its documents in one, its pictures in the one before, the directory is in the last. */
const keptWindows = 3;

/** Files larger than this are read exactly: what was read ahead piles up as garbage, up to as much as the file has. */
const largestFile = 128 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The same bytes by fewer reads: each one of a device's files costs far more than its bytes, and an archive's documents
 * and pictures are looked at one after another. Where several small reads come near each other, further ones are served
 * from a window of a megabyte; others, and those of a very large file, go through as they are.
 */
export function readingAhead(source: ByteSource): ByteSource {
  if (source.size > largestFile) return source;
  /** By where they begin, the one that was used last at the end. */
  const windows = new Map<number, Promise<Bytes>>();
  /** How often something was read there. */
  const looks = new Map<number, number>();
  const isBusy = (offset: number): boolean => {
    const from = offset - (offset % windowBytes);
    const before = looks.get(from) ?? 0;
    looks.set(from, before + 1);
    return before >= fewReads;
  };
  const windowAt = (from: number): Promise<Bytes> => {
    const bytes = windows.get(from) ?? source.read(from, Math.min(windowBytes, source.size - from));
    windows.delete(from);
    windows.set(from, bytes);
    bytes.catch(() => windows.delete(from));
    for (const oldest of windows.keys()) if (windows.size > keptWindows) windows.delete(oldest);
    return bytes;
  };
  const fromWindows = async (offset: number, length: number): Promise<Bytes> => {
    const from = offset - (offset % windowBytes);
    const start = (await windowAt(from)).slice(offset - from, offset - from + length);
    if (start.length === length) return start;
    const all = new Uint8Array(length);
    all.set(start);
    all.set((await windowAt(from + windowBytes)).subarray(0, length - start.length), start.length);
    return all;
  };
  return {
    size: source.size,
    read: (offset, length) =>
      offset < 0 || length > longestRead || offset + length > source.size || !isBusy(offset)
        ? source.read(offset, length)
        : fromWindows(offset, length),
  };
}
