import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import {
  billFiles,
  readLock,
  usedPackages,
  writeBill,
  type LockFile,
} from '#desktop/build/bill-of-materials.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

/** The flaws in the entries of a lock file. */
function flawsOf({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, { integrity, resolved, link }]) => {
    if (path === '') return [];
    const hash = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity ?? '');
    return [
      ...(hash === null ? [`${path} has no SHA-512`] : []),
      ...(resolved === undefined && link !== true ? [] : [`${path} names where it comes from`]),
    ];
  });
}

test('SUPPLY-1 every package of the lock file has its hash, and none names a registry', () => {
  const lock = readLock();
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500);
  expect(flawsOf(lock)).toEqual([]);
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved"|https?:\/\/[^"]*registry/,
  );
});

test('SUPPLY-1 an entry without a hash, with a weak one, or from elsewhere is noticed', () => {
  const good = must(readLock().packages['node_modules/zod'], 'an entry');
  const { integrity, ...bare } = good;
  const planted = {
    bare,
    weak: { ...good, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    short: { ...good, integrity: `${integrity?.slice(0, 40)}==` },
    elsewhere: { ...good, resolved: 'https://registry.example/zod.tgz' },
    git: { ...good, resolved: 'git+ssh://git@host.example/zod.git' },
    folder: { resolved: '../zod', link: true },
  };
  for (const [name, entry] of Object.entries(planted))
    expect(flawsOf({ packages: { [name]: entry } }), name).not.toEqual([]);
  expect(flawsOf({ packages: { zod: good } })).toEqual([]);
});

test('SUPPLY-2 SUPPLY-3 SUPPLY-7 direct dependencies are exact and few, and only listed packages run scripts', () => {
  const direct = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(
    Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
  ).toEqual([]);
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(60);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.slice(path.lastIndexOf('node_modules/') + 13)] : [],
  );
  expect(withScripts.filter((name) => !Object.hasOwn(manifest.allowScripts, name))).toEqual([]);
  expect(Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)).toEqual([
    ['node', true],
  ]);
});

interface Component {
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string }[];
  licenses: { license?: { id: string }; expression?: string }[];
}

test('SUPPLY-4 SUPPLY-5 a package contains a bill of materials and the licences of its dependencies', async () => {
  await using folder = await temporaryFolder('bill');
  writeBill(folder.path);
  const bill = JSON.parse(readFileSync(join(folder.path, billFiles.sbom), 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: Component[];
  };
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'benchbook']);
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const used = usedPackages();
  expect(used.length).toBeGreaterThan(100);
  expect(Object.keys(manifest.dependencies).filter((name) => !used.some((one) => one.name === name))).toEqual(
    [],
  );
  expect(used.filter(({ name, version }) => !listed.has(`${name}@${version}`))).toEqual([]);
  for (const { name, hashes, licenses, purl } of bill.components) {
    expect(
      hashes.map(({ alg }) => alg),
      name,
    ).toEqual(['SHA-512']);
    expect(licenses, name).not.toEqual([]);
    expect(purl).toMatch(/^pkg:npm\//);
  }
  const texts = readFileSync(join(folder.path, billFiles.licences), 'utf8');
  for (const { name, version, license } of used) expect(texts).toContain(`${name} ${version} (${license})`);
  expect(texts).toContain('Permission is hereby granted, free of charge');
  expect(texts).toContain('SIL OPEN FONT LICENSE');
  const bare = texts.split('-'.repeat(80)).filter((part) => part.includes('has no text of its licence'));
  // Most have their text; packages not installed on this system have none.
  expect(bare.join('').match(/^@?[\w./-]+ \d/gm)?.length ?? 0).toBeLessThan(used.length / 2);
});

test('SUPPLY-4 electron-builder writes both and puts them beside the program', async () => {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  const { getConfig } = builder('app-builder-lib/out/util/config/config') as {
    getConfig: (
      dir: string,
      file: string,
      given: null,
    ) => Promise<{ beforePack: string; extraFiles: object[] }>;
  };
  const config = await getConfig(root, 'electron-builder.yml', null);
  expect(config.extraFiles).toMatchObject([
    { from: 'desktop/out', filter: [billFiles.sbom, billFiles.licences] },
  ]);
  const { resolveFunction } = builder('app-builder-lib/out/util/resolve') as {
    resolveFunction: (type: string, hook: string, name: string, at: string) => Promise<unknown>;
  };
  const hook = await resolveFunction('module', config.beforePack, 'beforePack', root);
  expect(String(hook)).toContain('writeBill');
});

/** Licences that require only their text, or the sources of what they cover (fonts, libvips). */
const passable =
  /^(?:0BSD|Apache-2\.0|Artistic-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|BSD|CC0-1\.0|CC-BY-4\.0|ISC|LGPL-3\.0-or-later|MIT(?:-0)?|MPL-2\.0|OFL-1\.1|PSF-2\.0|Python-2\.0|Unlicense|WTFPL|Zlib)$/;

test('SUPPLY-6 every production dependency has a licence that permits distribution with Benchbook', () => {
  const parts = (license: string): string[] => license.replaceAll(/[()]/g, '').split(/ (?:OR|AND) /);
  const odd = usedPackages().filter(({ license }) => !parts(license).every((one) => passable.test(one)));
  expect(odd.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});
