import type { ByteSink } from '#shared/formats/omanual/source.ts';

import { FileSink } from './file-sink.ts';
import type { ArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { runningSha256 } from '#desktop/engine/platform/sha256.ts';

/** Held while there is a file that no record names yet: to mending it would be a leftover. */
export const filesLock = 'archives';

/** Writes a file. It is safe when this resolves, with the SHA-256 of the whole; leaves nothing when it fails. */
export async function storeFile(
  files: ArchiveFiles,
  stored: string,
  write: (sink: ByteSink) => Promise<void>,
): Promise<string> {
  using hash = runningSha256();
  const writer = await files.open(stored, 0);
  const sink = new FileSink(writer, { piece: (bytes) => hash.update(bytes) });
  try {
    await write(sink);
    await sink.finish();
  } catch (error) {
    await writer.close();
    await dropFile(files, stored);
    throw error;
  }
  await writer.close();
  return await hash.digest();
}

/** Removes a file; what cannot be removed now is a leftover of the next start. */
export async function dropFile(files: ArchiveFiles, stored: string): Promise<void> {
  await files.remove(stored).catch(() => undefined);
}
