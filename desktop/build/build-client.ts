import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import { build } from 'vite';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'shared/api/connect.ts');

/**
 * Builds the typed client as it is published (`benchbook/client`): one module that needs nothing else, for Node and
 * browsers alike, and its types.
 */
export async function buildClient(out: string): Promise<void> {
  rmSync(join(out, 'types'), { recursive: true, force: true });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => 'client.js' },
    },
  });
  writeTypes(join(out, 'types'));
}

/** Declarations of the client and of what it imports, with paths that need no import map. */
function writeTypes(out: string): void {
  const options =
    '--noEmit false --declaration --emitDeclarationOnly --ignoreConfig --strict --skipLibCheck --types node ' +
    '--target es2024 --module nodenext --moduleResolution nodenext --allowImportingTsExtensions ' +
    '--exactOptionalPropertyTypes --noUncheckedIndexedAccess';
  const places = ['--rootDir', root, '--outDir', out];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, ...options.split(' '), ...places, entry], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(out, file);
    writeFileSync(path, withRelativeImports(readFileSync(path, 'utf8'), file.split(sep).join('/')));
  }
}

function withRelativeImports(declarations: string, file: string): string {
  return declarations
    .replaceAll(/(['"])#shared\/([^'"]+)\.ts\1/g, (_, quote: string, name: string) => {
      const path = posix.relative(posix.dirname(file), `shared/${name}`);
      return `${quote}${path.startsWith('.') ? path : `./${path}`}.js${quote}`;
    })
    .replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1');
}

if (import.meta.main) await buildClient(join(root, 'artifacts/client'));
