import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Files that wait for the disk together, as in the server. */
const together = 64;

/**
 * Seconds that a plain program takes to make a durable file of each of these contents: written, synced, and moved to one of
 * 256 folders, which are made as well. The contents are in memory, and nothing is checked.
 */
export async function durableSeconds(contents: readonly Uint8Array[]): Promise<number> {
  await using folder = await temporaryFolder('bench-durable');
  const made = new Set<string>();
  const start = performance.now();
  for (let at = 0; at < contents.length; at += together) {
    const batch = contents.slice(at, at + together);
    await Promise.all(batch.map((bytes, index) => write(join(folder.path, `${at + index}`), bytes)));
    for (let index = at; index < at + batch.length; index += 1) {
      const place = join(folder.path, `in-${index % 256}`);
      if (!made.has(place)) await mkdir(place);
      made.add(place);
      await rename(join(folder.path, `${index}`), join(place, `${index}`));
    }
    await sync(folder.path);
  }
  return (performance.now() - start) / 1000;
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(bytes);
  await file.sync();
}

async function sync(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
