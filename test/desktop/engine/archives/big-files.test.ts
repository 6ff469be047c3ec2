import { expect, test } from 'vitest';

import { type ArchiveFiles, memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { openEngine } from '#desktop/engine/open.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { newDisk, platformOn } from '../support/device.ts';
import { testEnvironment } from '../support/environment.ts';
import { bigArchive, noNetwork } from './world.ts';

const megabyte = 1024 * 1024;

/** Records the size of requested and written parts. */
function counted(source: ByteSource, asked: number[]): ByteSource {
  return {
    size: source.size,
    read: (offset, length) => {
      asked.push(length);
      return source.read(offset, length);
    },
  };
}

test('ARCHIVE-2 a big archive is copied in pieces, and reading its guides reads little of it', async () => {
  const bytes = await bigArchive(24 * megabyte);
  expect(bytes.length).toBeGreaterThan(24 * megabyte);
  const disk = newDisk();
  const copied: number[] = [];
  const written: number[] = [];
  /** Unflushed bytes, after each write and flush. */
  const unsafe: number[] = [];
  const read: number[] = [];
  const openArchiveFiles = async (): Promise<ArchiveFiles> => {
    const files = memoryArchiveFiles(disk.archives);
    return {
      ...files,
      source: async (name) => counted(await files.source(name), read),
      open: async (name, at) => {
        const writer = await files.open(name, at);
        return {
          get size() {
            return writer.size;
          },
          write: (piece) => {
            written.push(piece.length);
            unsafe.push((unsafe.at(-1) ?? 0) + piece.length);
            return writer.write(piece);
          },
          flush: () => {
            unsafe.push(0);
            return writer.flush();
          },
          close: () => writer.close(),
        };
      },
    };
  };
  const engine = await openEngine({ ...platformOn(disk, testEnvironment(noNetwork)), openArchiveFiles });
  const given: ByteSource = {
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
  };
  await engine.actions.openArchive(counted(given, copied), 'big.omanual');
  await new Promise<void>((resolve, reject) => {
    engine.views.archives().subscribe((list) => {
      if (list[0]?.state === 'ready') resolve();
    }, reject);
  });
  await engine.close();
  expect(Math.max(...copied)).toBeLessThanOrEqual(megabyte);
  expect(Math.max(...written)).toBeLessThan(2 * megabyte);
  expect(Math.max(...unsafe)).toBeLessThanOrEqual(16 * megabyte);
  expect(unsafe.at(-1)).toBe(0);
  expect(written.reduce((sum, one) => sum + one, 0)).toBe(bytes.length);
  expect(read.length).toBeGreaterThan(0);
  expect(read.reduce((sum, one) => sum + one, 0)).toBeLessThan(bytes.length / 10);
});
