import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { unlessMissing } from './disk-errors.ts';

/** How a frame of a journal begins, and where the number of its version is (`engine/journal/format.ts`). */
const magic = Buffer.from([0xf5, 0x4a, 0x42, 0xfa]);
const versionAt = 9;
/** The first version whose frames are sealed. */
const sealedVersion = 2;

/** Whether a journal in `folder` begins with a frame that is sealed. Rejects if the disk does not show it. */
export async function hasSealedJournal(folder: string): Promise<boolean> {
  const journals = (await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  for (const journal of journals) {
    if (!journal.isDirectory()) continue;
    for (const name of await readdir(join(folder, journal.name)))
      if (name.startsWith('segment-') && (await isSealed(join(folder, journal.name, name)))) return true;
  }
  return false;
}

async function isSealed(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(versionAt + 1), 0, versionAt + 1, 0);
  if (bytesRead <= versionAt || !buffer.subarray(0, magic.length).equals(magic)) return false;
  return buffer.readUInt8(versionAt) >= sealedVersion;
}
