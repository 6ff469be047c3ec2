import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

/** Names of the files that `writeBill` writes. */
export const billFiles = { sbom: 'sbom.cdx.json', licences: 'THIRD-PARTY-LICENSES.txt' } as const;

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
export type LockFile = z.infer<typeof lockFile>;

/** The lock file of this folder. */
export function readLock(): LockFile {
  return lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
}

/** A package that Benchbook uses when it runs. */
export interface Used {
  /** Where it lies below this folder. */
  path: string;
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
}

/** The production dependencies, with theirs, by name. Those for other systems are among them. */
export function usedPackages({ packages }: LockFile = readLock()): Used[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version = '', license = 'unknown' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { path, name, version, license };
    })
    .toSorted((a, b) => (a.name === b.name ? a.path.localeCompare(b.path) : a.name.localeCompare(b.name)));
}

/**
 * Writes into `out` what a package of Benchbook is made from: the bill of materials of the production dependencies
 * (CycloneDX, with hashes and licences, by npm from the lock file), and the texts of their licences.
 */
export function writeBill(out: string): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, billFiles.sbom), `${JSON.stringify(readSbom(), null, 2)}\n`);
  writeFileSync(join(out, billFiles.licences), licenceTexts(usedPackages()));
}

const sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

function readSbom(): z.infer<typeof sbom> {
  // With `--omit=dev` npm leaves out what is used in development too (nodemailer, xml-crypto); so that is taken out here.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const;
  const cli = process.env['npm_execpath'];
  const printed =
    cli === undefined || !/npm-cli\.c?js$/.test(cli)
      ? execFileSync('npm', args, { ...options, shell: process.platform === 'win32' })
      : execFileSync(process.execPath, [cli, ...args], options);
  const read = sbom.parse(JSON.parse(printed));
  const used = new Set(usedPackages().map(({ name, version }) => `${name}@${version}`));
  const components = read.components.filter(({ name, version }) => used.has(`${name}@${version}`));
  const { component } = read.metadata;
  const refs = new Set([component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = read.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  // npm names a private package by its folder.
  const { name, version } = ours.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const named = { ...component, name, version, purl: `pkg:npm/${name}@${version}` };
  return { ...read, metadata: { ...read.metadata, component: named }, components, dependencies };
}

const ours = z.object({ name: z.string(), version: z.string() });

/** One text for packages that have the same, under their names. */
function licenceTexts(packages: readonly Used[]): string {
  const byText = Map.groupBy(packages, textOf);
  const parts = [...byText].map(([text, users]) => {
    const names = users.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${[...new Set(names)].join('\n')}\n\n${text.trim()}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return [
    'Benchbook contains or uses these packages of others, each under its own licence.\n',
    ...parts,
  ].join(line);
}

function textOf({ path, license }: Used): string {
  const folder = join(root, path);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(?:licen[sc]es?|copying|notice|ofl)\b/i.test(file))
    : [];
  const texts = files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'));
  if (texts.length > 0) return texts.join('\n');
  return `The package has no text of its licence; it names ${license} (https://spdx.org/licenses/).`;
}

/** Called by electron-builder before it packs: the files go into the app. */
export function beforePack(): void {
  writeBill(join(root, 'desktop/out'));
}

if (import.meta.main) writeBill(process.argv[2] ?? join(root, 'artifacts'));
