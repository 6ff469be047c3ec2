import { randomBytes } from 'node:crypto';
import { constants, copyFile, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

/**
 * Writes a file at a path that a person chose, completely or not at all.
 *
 * @throws the error of the disk
 */
export function saveWhole(path: string, bytes: Uint8Array): Promise<void> {
  return replaceWhole(path, (temporary) => writeFile(temporary, bytes));
}

/**
 * Copies a file to a path that a person chose, completely or not at all.
 *
 * @throws the error of the disk
 */
export function copyWhole(from: string, to: string): Promise<void> {
  return replaceWhole(to, (temporary) => copyFile(from, temporary));
}

/**
 * Fills a temporary file and renames it, so that the chosen path never has a partial file. Its name is random, because
 * the folder is the person's, and short, because the chosen name may be as long as the disk allows.
 *
 * - ELECTRON-58 A file that is saved outside of the user data replaces the chosen file only when it is complete, and
 *   touches no other file of the folder.
 */
async function replaceWhole(path: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `benchbook-${randomBytes(8).toString('hex')}.part`);
  await using file = await open(temporary, 'wx');
  try {
    await fill(temporary);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}
