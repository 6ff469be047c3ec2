/** The tests of pictures, documents and videos, with files in S3. */
import { expect, test } from 'vitest';

import { filesInS3 } from '#test/support/files-in-s3.ts';

const s3 = await filesInS3();
// As a module of its own: the worker may have run the file before, with files in a folder.
const tests = './media.test.ts?in-s3';
await import(tests);

test('BUCKET-1 the files of these tests are in S3', () => {
  expect(s3.bodies.length).toBeGreaterThan(0);
});
