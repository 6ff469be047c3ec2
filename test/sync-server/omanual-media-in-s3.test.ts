/** The tests of the media of imported archives, with files in S3. */
import { expect, test } from 'vitest';

import { filesInS3 } from '#test/support/files-in-s3.ts';

const s3 = await filesInS3();
// As a module of its own: the worker may have run the file before, with files in a folder.
const tests = './omanual-import-media.test.ts?in-s3';
await import(tests);

test('BUCKET-1 the media of these imports are in S3', () => {
  expect(s3.bodies.length).toBeGreaterThan(0);
});
