// oxlint-disable-next-line no-restricted-imports -- names of temporary files, which nobody sees
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { BadSetting } from '#server/platform/config.ts';
import type { ByteSink, ByteSource } from '#shared/formats/omanual/source.ts';

/** Opens a file for random reads while `work` runs. */
export async function withFile<T>(path: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path).catch(refusedFile(path, 'read'));
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

/** Writes a new file, which gets its name when it is complete. Refuses to overwrite a file. */
export async function writeNewFile<T>(path: string, work: (sink: ByteSink) => Promise<T>): Promise<T> {
  const refused = refusedFile(path, 'written');
  const reserved = await open(path, 'wx').catch(refused);
  await reserved.close();
  const temporary = temporaryBeside(path);
  const file = await open(temporary, 'wx').catch(async (error: unknown) => {
    await rm(path, { force: true });
    return refused(error);
  });
  try {
    const result = await work({ write: (bytes) => file.writeFile(bytes).catch(refused) });
    await file.sync().catch(refused);
    await file.close();
    await rename(temporary, path).catch(refused);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    await rm(path, { force: true });
    throw error;
  }
}

/** Writes a temporary file and then replaces `path` by it. The previous file stays until the new one is complete. */
export async function replaceFile<T>(path: string, make: (sink: ByteSink) => Promise<T>): Promise<T> {
  const partial = temporaryBeside(path);
  const refused = refusedFile(path, 'written');
  const handle = await open(partial, 'wx').catch(refused);
  try {
    const made = await make({ write: (bytes) => handle.writeFile(bytes).catch(refused) });
    await handle.sync().catch(refused);
    await handle.close();
    await rename(partial, path).catch(refused);
    return made;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

/** A temporary name in the folder of `path`. It is random, because the other files of the folder are the person's. */
function temporaryBeside(path: string): string {
  return join(dirname(path), `benchbook-${randomUUID()}.part`);
}

/** Descriptions of system errors; other codes are shown as they are. */
const errorTexts: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it is there already',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'you may not do that',
  EPERM: 'you may not do that',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'files of that disk cannot be so large',
  ENAMETOOLONG: 'its name is too long',
};

/** A handler for `catch` of a promise: turns system errors into a refusal, and throws any other error unchanged. */
export function refusedFile(path: string, what: 'read' | 'written' | 'copied'): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error;
    const code = String(error.code);
    throw new BadSetting(`${path} cannot be ${what}: ${errorTexts[code] ?? code}.`, { cause: error });
  };
}
