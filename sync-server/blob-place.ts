import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

import { isSameBucket, locationText, type S3Location } from './platform/s3-location.ts';
import { BadSetting, type Config } from './platform/config.ts';
import { copyBlobs } from './media/copy-blobs.ts';
import { openMedia } from './media/open.ts';
import { recordedLocation, recordLocation } from './media/recorded-location.ts';

/**
 * Where the files of a site are at this start; null: in the data folder. If they were in the other place before, they are
 * copied first.
 * @throws BadSetting if they were in S3 and this start does not say where they are, or if S3 cannot be used
 */
export async function blobPlace(
  { blobs: wanted, data: dataDir }: Pick<Config, 'blobs' | 'data'>,
  { log, say }: { log: Logger; say: (line: string) => void },
): Promise<S3Location | null> {
  const before = recordedLocation(dataDir);
  if (wanted === undefined && before !== null)
    throw new BadSetting(
      `The files of this site are in ${locationText(before)}. Name it with --blobs, or copy them into the data folder with --blobs files.`,
    );
  const location = wanted ?? null;
  if (location !== null) await mustAnswer(location);
  if (!isSamePlace(before, location) && existsSync(join(dataDir, 'media'))) {
    const open = (place: S3Location | null) =>
      // oxlint-disable-next-line no-restricted-properties -- services have the clock, and are opened later
      openMedia({ location: place, dataDir, log, now: Date.now });
    say(`Copying files to ${location === null ? dataDir : locationText(location)} …`);
    const [from, to] = [await open(before), await open(location)];
    const { copied, broken } = await copyBlobs(from.blobs, to.blobs).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new BadSetting(`Not all files could be copied: ${reason}. Start again to go on.`, { cause });
    });
    say(`${copied} files are copied; those of before stay where they are.`);
    if (broken.length > 0)
      say(`${broken.length} damaged files are not copied: ${broken.slice(0, 10).join(', ')}`);
  }
  recordLocation(dataDir, location);
  return location;
}

function isSamePlace(one: S3Location | null, other: S3Location | null): boolean {
  return one === null || other === null ? one === other : isSameBucket(one, other);
}

/**
 * - BUCKET-9 A start whose bucket does not exist or refuses the credentials is refused with a sentence. If S3 does not answer,
 *   the server starts, and calls that need files are 503 until it does.
 */
async function mustAnswer(location: S3Location): Promise<void> {
  const { refusalOf } = await import('./media/s3/open.ts');
  const refusal = await refusalOf(location);
  if (refusal !== null)
    throw new BadSetting(
      `The files cannot be in ${locationText(location)}: S3 answers ${refusal}. Check the name of the bucket, and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION.`,
    );
}
