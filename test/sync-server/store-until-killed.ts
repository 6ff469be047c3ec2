/** Stores a file in S3 until the process is killed. Arguments: location as JSON, folder, size in bytes. */
import { pino } from 'pino';

import { must } from '#shared/must.ts';
import { Bucket } from '#server/media/s3/bucket.ts';
import { s3Location } from '#server/platform/s3-location.ts';
import { S3Blobs } from '#server/media/s3/s3-blobs.ts';

const [location, folder, size] = process.argv.slice(2);
const blobs = await S3Blobs.open(new Bucket(s3Location.parse(JSON.parse(must(location, 'the location')))), {
  folder: must(folder, 'the folder'),
  log: pino({ level: 'silent' }),
  now: Date.now,
});
await using file = await blobs.receive([Buffer.alloc(Number(size), 1)]);
await file.keep();
