import type { ByteSource } from '#shared/formats/omanual/source.ts';

/** Size of a window, which begins at a multiple of it. */
const windowBytes = 1024 * 1024;

/** Longer reads bypass the windows. */
const longestRead = 128 * 1024;

/** After this many small reads in one megabyte, further ones are served from a window. */
const fewReads = 1;

/** Number of windows in memory: one for a guide's documents, one for its pictures, one for the directory at the end. */
const keptWindows = 3;

/** Larger files are read without windows: the garbage of windows could grow to the size of the file. */
const largestFile = 128 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Reads a source with fewer, larger reads: on a device each read costs far more than its bytes, and the members of an
 * archive are read one after the other. After small reads near each other, further ones are served from a window of a
 * megabyte. Other reads, and all reads of very large files, are passed on unchanged.
 */
export function readingAhead(source: ByteSource): ByteSource {
  if (source.size > largestFile) return source;
  /** Windows by their offset, least recently used first. */
  const windows = new Map<number, Promise<Bytes>>();
  /** Number of small reads by offset of the window. */
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
