import type { ByteSink } from '#shared/omanual/source.ts';

import type { Environment } from '../ports.ts';
import { FileSink } from './file-sink.ts';
import type { ArchiveFiles } from './files.ts';
import { chunkMs, pause } from './reader.ts';
import { Sha256 } from './sha256.ts';

/** Held while there is a file that no record names yet: to mending it would be a leftover. */
export const filesLock = 'archives';

/**
 * Writes a file, and lets the page answer between its pieces. It is safe when this resolves, with the SHA-256 of the
 * whole; leaves nothing when it fails.
 */
export async function storeFile(
  files: ArchiveFiles,
  environment: Environment,
  stored: string,
  write: (sink: ByteSink) => Promise<void>,
): Promise<string> {
  const hash = new Sha256();
  const writer = await files.open(stored, 0);
  let began = environment.monotonic();
  const sink = new FileSink(writer, {
    piece: async (bytes) => {
      hash.update(bytes);
      if (environment.monotonic() - began < chunkMs) return;
      await pause(environment);
      began = environment.monotonic();
    },
  });
  try {
    await write(sink);
    await sink.finish();
  } catch (error) {
    await writer.close();
    await dropFile(files, stored);
    throw error;
  }
  await writer.close();
  return hash.digest();
}

/** Removes a file; what cannot be removed now is a leftover of the next start. */
export async function dropFile(files: ArchiveFiles, stored: string): Promise<void> {
  await files.remove(stored).catch(() => undefined);
}
