import { constants, copyFile, open, rename, rm } from 'node:fs/promises';

import { IpcError } from '#desktop/ipc.ts';

/**
 * Reads exactly `length` bytes of a file, starting at `at`. Refuses pipes and devices: opening a pipe without a writer
 * would wait forever, in one of the few threads that read files.
 */
export async function readPart(path: string, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (!(await file.stat()).isFile()) throw new IpcError('unavailable', 'This is not a file');
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) throw new IpcError('unavailable', 'The file ends before what was asked for');
    read += bytesRead;
  }
  return bytes;
}

/** Copies to a temporary file and renames it, so that the chosen path never has a partial file. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.part`;
  try {
    await copyFile(from, temporary);
    {
      await using file = await open(temporary, 'r+');
      await file.sync();
    }
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
