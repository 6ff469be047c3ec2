import { join } from 'node:path';
import { pino, type Logger } from 'pino';

import type { Blobs } from './blobs.ts';
import { FileBlobs } from './file-blobs.ts';
import { recordedLocation } from './recorded-location.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { FolderBytes } from './uploads/folder-bytes.ts';
import type { UploadBytes } from './uploads/upload-bytes.ts';

interface Options {
  /** Null: in the data folder. */
  location: S3Location | null;
  dataDir: string;
  log: Logger;
  /** Wall clock, ms. */
  now: () => number;
}

/** The blobs of a site whose server keeps them in S3; null: they are in the data folder. */
export async function blobsElsewhere(dataDir: string, now: () => number): Promise<Blobs | null> {
  const location = recordedLocation(dataDir);
  if (location === null) return null;
  return (await openMedia({ location, dataDir, log: pino({ level: 'silent' }), now })).blobs;
}

/**
 * Opens the files of a site: the blobs, and the bytes of unfinished uploads.
 *
 * - BUCKET-10 The client of S3 is loaded only if they are there.
 */
export async function openMedia({
  location,
  dataDir,
  log,
  now,
}: Options): Promise<{ blobs: Blobs; uploads: UploadBytes }> {
  const folder = join(dataDir, 'media');
  if (location === null)
    return {
      blobs: await FileBlobs.open(folder),
      uploads: await FolderBytes.open(join(folder, 'uploads'), now),
    };
  const { openS3 } = await import('./s3/open.ts');
  return openS3(location, { folder, log, now });
}
