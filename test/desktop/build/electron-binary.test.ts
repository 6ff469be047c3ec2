import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { joinRelease, nodeTargetOf, pinnedVersion } from '#desktop/build/electron-binary.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('ELECTRON-32 a release without the checksum of the official one is refused', async () => {
  await using folder = await temporaryFolder('release');
  for (const part of ['p000', 'p001'])
    writeFileSync(join(folder.path, `electron-linux-x64.zip.${part}`), 'not Electron');
  expect(() => joinRelease(folder.path)).toThrow('checksum');
});

test('ELECTRON-33 the bundles fit the Node.js of the Electron', () => {
  expect(['33.3.0', '35.0.0', '39.8.1', '40.0.0', pinnedVersion()].map(nodeTargetOf)).toEqual([
    'node20',
    'node22',
    'node22',
    'node24',
    'node24',
  ]);
});
