import type { ByteSource } from '#shared/omanual/source.ts';

/** Reads that go forwards by no more than so many bytes are steps of one walk. */
const longestStep = 128 * 1024;

/** After so many steps the next ones are expected. */
const walkSteps = 3;

/** Read at once on a walk. */
const windowBytes = 1024 * 1024;

/** Files larger than this are read exactly: what was read ahead piles up as garbage, up to as much as the file has. */
const largestFile = 128 * 1024 * 1024;

interface ReadWindow {
  from: number;
  to: number;
  bytes: Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The same bytes by fewer reads: each one of a device's files costs far more than its bytes, and an archive's pictures
 * are looked at one after another. Walks with small steps are served from one window of a megabyte; other reads, and
 * those of a very large file, go through as they are.
 */
export function readingAhead(source: ByteSource): ByteSource {
  if (source.size > largestFile) return source;
  let ahead: ReadWindow | null = null;
  let end = 0;
  let steps = 0;
  const fromWindow = async ({ from, bytes }: ReadWindow, offset: number, length: number) =>
    (await bytes).slice(offset - from, offset - from + length);
  return {
    size: source.size,
    read: (offset, length) => {
      steps = offset >= end && offset - end <= longestStep ? steps + 1 : 0;
      end = offset + length;
      if (ahead !== null && offset >= ahead.from && end <= ahead.to) return fromWindow(ahead, offset, length);
      if (steps < walkSteps || length > longestStep || end > source.size) return source.read(offset, length);
      const to = Math.min(source.size, offset + windowBytes);
      const window = { from: offset, to, bytes: source.read(offset, to - offset) };
      ahead = window;
      window.bytes.catch(() => {
        if (ahead === window) ahead = null;
      });
      return fromWindow(window, offset, length);
    },
  };
}
