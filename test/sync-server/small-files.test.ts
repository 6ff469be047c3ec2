import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readAtOnce, SmallFiles } from '#server/http/small-files.ts';
import { DiskFile } from '#server/media/stored-file.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('MEDIA-5 small files are cached in memory, large ones are not, and the most requested stay longest', async () => {
  await using folder = await temporaryFolder('small-files');
  const path = join(folder.path, 'picture');
  const files = new SmallFiles();
  writeFileSync(path, Buffer.alloc(readAtOnce + 1));
  const large = await DiskFile.at(path);
  expect(await files.read('large', large)).toBe(large);
  expect(files.get('large')).toBeUndefined();
  writeFileSync(path, Buffer.alloc(readAtOnce, 7));
  const small = await DiskFile.at(path);
  const [first, second] = [await files.read('first', small), await files.read('second', small)];
  expect(files.get('first')).toBe(first);
  expect(files.get('second')).toBe(second);
  // 128 of them fill the cache.
  for (let count = 3; count <= 129; count += 1) {
    files.get('first');
    await files.read(`number ${count}`, small);
  }
  expect(files.get('second')).toBeUndefined();
  expect(files.get('first')).toBe(first);
});
