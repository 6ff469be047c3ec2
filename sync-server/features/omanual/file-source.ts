import { open } from 'node:fs/promises';

import { LRUCache } from 'lru-cache';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

/** Size of the blocks in which small pieces of a file are read, bytes. */
const blockSize = 512 * 1024;
/** Number of cached blocks, for concurrent reads. */
const mostBlocks = 8;
/** Largest piece that is read in blocks, bytes. */
const mostInBlocks = 128 * 1024;

/**
 * A file for random access, until it is disposed of. It must not change meanwhile. Small pieces are read in blocks,
 * because archives are read member by member and most members are small.
 */
export async function fileSource(path: string): Promise<ByteSource & AsyncDisposable> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const readAll = async (offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new RangeError('Beyond the end of the file');
      done += bytesRead;
    }
    return bytes;
  };
  const blocks = new LRUCache<number, Promise<Uint8Array<ArrayBuffer>>>({
    max: mostBlocks,
    memoMethod(number) {
      const start = number * blockSize;
      const found = readAll(start, Math.min(blockSize, size - start));
      // Failures are not cached; they reach the callers that wait for the block.
      found.catch(() => blocks.delete(number));
      return found;
    },
  });
  return {
    size,
    async read(offset, length) {
      if (offset < 0 || offset + length > size) throw new RangeError('Beyond the end of the file');
      const number = Math.floor(offset / blockSize);
      const start = offset - number * blockSize;
      const isInBlock = start + length <= blockSize;
      if (length > mostInBlocks || !isInBlock) return readAll(offset, length);
      return (await blocks.memo(number)).subarray(start, start + length);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}
