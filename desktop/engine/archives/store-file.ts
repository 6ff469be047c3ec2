import type { ByteSink } from '#shared/omanual/source.ts';

import type { Environment } from '../ports.ts';
import { type ArchiveFiles, bufferedSink } from './files.ts';
import { pause } from './reader.ts';
import { Sha256 } from './sha256.ts';

/**
 * Writes a file in pieces that are worth an fsync, and lets the page answer between them. Resolves with the SHA-256 of
 * the whole; leaves nothing when it fails.
 */
export async function storeFile(
  files: ArchiveFiles,
  environment: Environment,
  stored: string,
  write: (sink: ByteSink) => Promise<void>,
): Promise<string> {
  const hash = new Sha256();
  const writer = await files.open(stored);
  const sink = bufferedSink(async (bytes) => {
    hash.update(bytes);
    await writer.write(bytes);
    await pause(environment);
  });
  try {
    await write(sink);
    await sink.flush();
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
