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

/** The lock file of this repository. */
export function readLock(): LockFile {
  return lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
}

/** A package that Benchbook needs at run time. */
export interface Used {
  /** Path relative to the repository. */
  path: string;
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
}

/**
 * All production dependencies, direct and transitive, by name. Packages for other operating systems are included.
 */
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
 * Writes the bill of materials (CycloneDX, with hashes and licences, made by npm from the lock file) and the licence
 * texts of the production dependencies into `out`.
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
  // `--omit=dev` also drops packages that are needed in production and in development (nodemailer, xml-crypto). The
  // development packages are therefore removed here.
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
  // npm takes the name of a private package from its folder.
  const { name, version } = ours.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const named = { ...component, name, version, purl: `pkg:npm/${name}@${version}` };
  return { ...read, metadata: { ...read.metadata, component: named }, components, dependencies };
}

const ours = z.object({ name: z.string(), version: z.string() });

/** Packages with the same licence text share one entry, under all their names. */
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

/** Called by electron-builder before packing, so that the files become part of the app. */
export function beforePack({ packager }: { packager: { projectDir: string } }): void {
  writeBill(join(packager.projectDir, 'desktop/out'));
}

if (import.meta.main) writeBill(process.argv[2] ?? join(root, 'artifacts'));
