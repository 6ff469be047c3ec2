import { open, rename, rm } from 'node:fs/promises';

import { BadSetting } from '#server/config.ts';
import type { ByteSink, ByteSource } from '#shared/omanual/source.ts';

/** Reads from anywhere in a file while `work` runs. */
export async function withFile<T>(path: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadSetting(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new BadSetting(`${path} is no file.`);
    const { size } = found;
    return await work({
      size,
      read: async (offset, length) => {
        const bytes = new Uint8Array(length);
        for (let done = 0; done < length;) {
          const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
          if (bytesRead === 0) throw new RangeError('Beyond the end of the file');
          done += bytesRead;
        }
        return bytes;
      },
    });
  } finally {
    await file.close();
  }
}

/** Writes a new file, which has its name only when it is complete. Refuses to overwrite one. */
export async function writeNewFile<T>(path: string, work: (sink: ByteSink) => Promise<T>): Promise<T> {
  const reserved = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    throw new BadSetting(`${path} cannot be written (${error.code ?? error.message}).`);
  });
  await reserved.close();
  const temporary = `${path}.part`;
  const file = await open(temporary, 'w');
  try {
    const result = await work({ write: (bytes) => file.writeFile(bytes) });
    await file.sync();
    await file.close();
    await rename(temporary, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes beside the file and then in its place: what was there stays until the new one is whole. */
export async function replaceFile<T>(path: string, make: (sink: ByteSink) => Promise<T>): Promise<T> {
  const partial = `${path}.part`;
  const handle = await open(partial, 'w').catch((cause: unknown) => {
    throw new BadSetting(`${path} cannot be written.`, { cause });
  });
  try {
    const made = await make({ write: (bytes) => handle.writeFile(bytes) });
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    return made;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}
