import { basename } from 'node:path';

import { afterAll } from 'vitest';

import { storeFilesIn } from './server.ts';
import { startS3, type S3Server } from './s3-server.ts';

/** Stores the files of all servers of a test file in S3, each under a prefix of its own. Call it before its tests. */
export async function filesInS3(): Promise<S3Server> {
  const s3 = await startS3();
  storeFilesIn((dataDir) => ({ ...s3.location, prefix: `${basename(dataDir)}/` }));
  // The test files of a worker share its modules.
  afterAll(async () => {
    storeFilesIn(undefined);
    await s3[Symbol.asyncDispose]();
  });
  return s3;
}
