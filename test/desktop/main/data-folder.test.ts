import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { dataFolderRefusal } from '#desktop/main/data-folder.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

it('ELECTRON-88 a folder that cannot be used is named, and one that can be made is made', async () => {
  await using temporary = await temporaryFolder('data-folder');
  const file = join(temporary.path, 'file');
  writeFileSync(file, '');
  expect(dataFolderRefusal(join(file, 'data'))?.detail).toContain(join(file, 'data'));
  expect(dataFolderRefusal(join(temporary.path, 'new/data'))).toBeNull();
  mkdirSync(join(temporary.path, 'there'));
  expect(dataFolderRefusal(join(temporary.path, 'there'))).toBeNull();
});
