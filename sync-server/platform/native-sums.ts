/**
 * Uses Node's native functions for checksums and inflating in `shared/formats/omanual`: they are most of the work on
 * an archive.
 */
import { hash } from 'node:crypto';
import { crc32, inflateRawSync } from 'node:zlib';

import { replaceCrc32 } from '#shared/formats/omanual/crc32.ts';
import { replaceInflate, replaceSha256 } from '#shared/formats/omanual/native.ts';

replaceCrc32(crc32);
replaceSha256((bytes) => hash('sha256', bytes));

replaceInflate((packed, most) => {
  try {
    // One output chunk, so that no chunks have to be concatenated.
    const size = Math.max(64, most + 1);
    const bytes = inflateRawSync(packed, { maxOutputLength: size, chunkSize: size });
    return bytes.length > most ? null : bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
});
