import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { expect, test } from 'vitest';

import {
  electronForPackage,
  electronIn,
  joinRelease,
  nodeTargetOf,
  pinnedVersion,
} from '#desktop/build/electron-binary.ts';
import { packageNamed, pathWithElectron } from '#desktop/build/package-names.ts';
import { manifestOf } from '#desktop/build/update-signing.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('ELECTRON-32 a release without the checksum of the official one is refused', async () => {
  await using folder = await temporaryFolder('release');
  for (const part of ['p000', 'p001'])
    writeFileSync(join(folder.path, `electron-linux-x64.zip.${part}`), 'not Electron');
  expect(() => joinRelease(folder.path)).toThrow('checksum');
});

test('ELECTRON-32 another Electron than that of package.json is packaged only if that was asked for', async () => {
  await using folder = await temporaryFolder('electrons');
  const put = (version: string) => {
    writeFileSync(join(folder.path, 'electron'), '');
    writeFileSync(join(folder.path, 'version'), `v${version}\n`);
    return must(electronIn(folder.path, 'electron'), 'an Electron');
  };
  const own = put(pinnedVersion());
  expect(electronForPackage(own, false)).toBe(own);
  const other = put('33.3.0');
  expect(other).toMatchObject({ version: '33.3.0', isFallback: true });
  expect(() => electronForPackage(other, false)).toThrow('--allow-fallback');
  expect(electronForPackage(other, true)).toBe(other);
  expect(() => electronForPackage({ missing: 'there is none' }, true)).toThrow('there is none');
});

test('ELECTRON-32 a package with another Electron says so in its name, and is not signed unless that was asked for', async () => {
  await using folder = await temporaryFolder('trial-packages');
  const names = [
    'benchbook-desktop-0.2.0-linux-x64.tar.gz',
    'benchbook-desktop_0.2.0_amd64.deb',
    'Benchbook-0.2.0.AppImage',
    'Benchbook Setup 0.2.0.exe',
  ];
  const options = { keys: [], releasedAt: Date.now(), expiresAt: Date.now() + 1000 };
  for (const name of names) {
    const artefacts = join(folder.path, name.replaceAll(/\W/g, ''));
    mkdirSync(artefacts);
    const path = pathWithElectron(join(artefacts, name), '33.3.0');
    writeFileSync(path, 'a package');
    await expect(manifestOf({ ...options, artefacts })).rejects.toThrow('contains Electron 33.3.0');
    const { version, artefacts: made } = await manifestOf({ ...options, artefacts, allowsFallback: true });
    expect(version).toBe('0.2.0');
    expect(made).toMatchObject([
      { kind: packageNamed(name)[0]?.kind, file: basename(path).replaceAll(' ', '-') },
    ]);
    renameSync(path, join(artefacts, name));
    expect((await manifestOf({ ...options, artefacts })).artefacts).toHaveLength(1);
  }
  expect(pathWithElectron('/packages/builder-debug.yml', '33.3.0')).toBe('/packages/builder-debug.yml');
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
