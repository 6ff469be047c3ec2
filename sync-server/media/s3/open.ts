import type { Logger } from 'pino';

import { Bucket } from './bucket.ts';
import { BucketUploads } from './bucket-uploads.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { isRefusal } from './failures.ts';
import { S3Blobs } from './s3-blobs.ts';

/** Opens the files of a site in S3. `folder`: for temporary files. */
export async function openS3(
  location: S3Location,
  options: { folder: string; log: Logger; now: () => number },
): Promise<{ blobs: S3Blobs; uploads: BucketUploads }> {
  const bucket = new Bucket(location);
  return {
    blobs: await S3Blobs.open(bucket, options),
    uploads: new BucketUploads(bucket, options.now),
  };
}

/** Why S3 refuses access to a location, as S3 names it; null if it does not, or does not answer. */
export async function refusalOf(location: S3Location): Promise<string | null> {
  try {
    await new Bucket(location).hasAny('');
    return null;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && isRefusal(cause) ? cause.name : null;
  }
}
