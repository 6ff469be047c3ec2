import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

import { z } from 'zod';
import { build, type InlineConfig } from 'vite';

import { writeBill } from './bill-of-materials.ts';
import { writeConformance } from './conformance/write-conformance.ts';
import { writeTypes } from './package-types.ts';

const root = join(import.meta.dirname, '../..');
const modules = { client: 'shared/api/connect.ts', omanual: 'shared/formats/omanual/index.ts' };
const program = 'sync-server/cli/omanual-bin.ts';

/** The exports of the package, as `package.json` declares them. */
const exported = Object.fromEntries(
  Object.entries(modules).map(([name, entry]) => [
    `./${name}`,
    { types: `./types/${entry.replace(/\.ts$/, '.d.ts')}`, default: `./${name}.js` },
  ]),
);

/**
 * Builds the npm package `benchbook`: the typed client (`benchbook/client`) and the oManual library
 * (`benchbook/omanual`), both for Node and browsers, the program `benchbook omanual`, the conformance
 * suite, and their types. The package has no dependencies.
 */
async function buildPackage(out: string): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await buildClient(out);
  await build(moduleConfig(out, 'omanual', join(root, modules.omanual)));
  await build(programConfig(out));
  writeTypes(join(out, 'types'), Object.values(modules));
  for (const page of ['api/README.md', 'formats/omanual/README.md', 'formats/pages/README.md'])
    cpSync(join(root, 'shared', page), join(out, page));
  const readme = readFileSync(join(root, 'shared/README.md'), 'utf8');
  writeFileSync(join(out, 'README.md'), readme.replaceAll('../desktop/build/', ''));
  writeConformance(join(out, 'conformance'));
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  writeBill(out);
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** Builds only `client.js`. */
export async function buildClient(out: string): Promise<void> {
  await build(moduleConfig(out, 'client', join(root, modules.client)));
}

function moduleConfig(outDir: string, name: string, entry: string): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      // The parsers of pages, which are loaded when a page is read.
      rolldownOptions: { output: { chunkFileNames: `${name}-[name].js` } },
    },
  };
}

/** The program runs in Node only; its npm dependencies are bundled. It is minified, because it repeats both modules. */
function programConfig(outDir: string): InlineConfig {
  const node = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];
  const config = moduleConfig(outDir, 'benchbook', join(root, program));
  return {
    ...config,
    ssr: { noExternal: true },
    build: {
      ...config.build,
      ssr: true,
      minify: true,
      rolldownOptions: { external: node, output: { entryFileNames: 'benchbook.js', codeSplitting: false } },
    },
  };
}

const ours = z.object({ name: z.string(), version: z.string(), license: z.string() });

function manifest(): object {
  const { name, version, license } = ours.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return {
    name,
    version,
    description: 'Client of the Repair-Guide Documentation Service API 2.0, and oManual archives (IEEE 1874)',
    license,
    type: 'module',
    bin: { benchbook: './benchbook.js' },
    exports: { ...exported, './package.json': './package.json' },
    engines: { node: '>=20' },
  };
}

if (import.meta.main) await buildPackage(process.argv[2] ?? join(root, 'artifacts/package'));
