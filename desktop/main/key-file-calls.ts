import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';

import { IpcError } from '#desktop/ipc.ts';

/** The file calls for the key. Tests let them fail, or end the process after one. */
export interface KeyFileCalls {
  read(path: string): Promise<Uint8Array>;
  open(path: string, flags: string, mode: number): Promise<FileHandle>;
  /** Writes at the beginning of a file that was just opened. */
  write(file: FileHandle, bytes: Uint8Array): Promise<void>;
  sync(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export const realCalls: KeyFileCalls = {
  read: (path) => readFile(path),
  open: (path, flags, mode) => open(path, flags, mode),
  write: (file, bytes) => file.writeFile(bytes),
  sync: (file) => file.sync(),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
};

/** The owner reads and writes it, nobody else. Windows protects it by the folder of the person. */
export const PRIVATE = 0o600;

/** @throws IpcError sync-failed */
export async function syncFile(calls: KeyFileCalls, file: FileHandle): Promise<void> {
  await calls.sync(file).catch((cause: unknown) => {
    throw new IpcError('sync-failed', 'The disk did not take what was written', { cause });
  });
}

/** Makes the names in a folder durable. @throws IpcError sync-failed */
export async function syncFolder(calls: KeyFileCalls, path: string): Promise<void> {
  // Windows has no fsync for folders; NTFS journals their entries itself.
  if (process.platform === 'win32') return;
  await using folder = await calls.open(path, 'r', 0);
  await syncFile(calls, folder);
}
