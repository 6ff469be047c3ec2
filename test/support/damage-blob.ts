import { writeFile } from 'node:fs/promises';

import { blobPath, type Blobs } from '#server/media/blobs.ts';
import { recordedLocation } from '#server/media/recorded-location.ts';
import { Bucket } from '#server/media/s3/bucket.ts';

/** Replaces the bytes of a stored file, wherever it is. */
export async function damageBlob(
  { dataDir, services }: { dataDir: string; services: { blobs: Pick<Blobs, 'folder'> } },
  sha256: string,
): Promise<void> {
  const location = recordedLocation(dataDir);
  if (location === null) return writeFile(blobPath(services.blobs.folder, sha256), 'damaged');
  return new Bucket(location).put(`${sha256.slice(0, 2)}/${sha256}`, Buffer.from('damaged'));
}
