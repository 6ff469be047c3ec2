import pLimit from 'p-limit';

import type { Blobs } from './blobs.ts';

/** Files that are copied at the same time. */
const together = 4;

/**
 * Copies the blobs that `to` lacks. A file that changes on the way is not stored, because its hash is its name.
 *
 * - BUCKET-8 A start with files in another place than before copies those that are missing there. The old ones stay.
 *
 * @returns how many were copied, and which could not be read
 */
export async function copyBlobs(from: Blobs, to: Blobs): Promise<{ copied: number; broken: string[] }> {
  const limit = pLimit(together);
  const result: { copied: number; broken: string[] } = { copied: 0, broken: [] };
  const copyOne = async (sha256: string): Promise<void> => {
    if (await to.has(sha256)) return;
    const file = await from.open(sha256);
    const content = file.size === 0 ? [] : await file.stream(0, file.size - 1);
    await using received = await to.receive(content);
    if ((await received.sha256()) !== sha256) {
      result.broken.push(sha256);
      return;
    }
    await received.keep();
    result.copied += 1;
  };
  let waiting: Promise<void>[] = [];
  for await (const { sha256 } of from.list()) {
    waiting.push(limit(() => copyOne(sha256)));
    if (waiting.length < 1000) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
  return result;
}
