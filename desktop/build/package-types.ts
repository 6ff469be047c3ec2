import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');
const zod = join(root, 'node_modules/zod');

/**
 * Writes the type declarations of `entries` and of everything that they import, with relative paths. The declarations
 * of zod are copied along, so that users of the types need not install zod.
 */
export function writeTypes(out: string, entries: readonly string[]): void {
  const options =
    '--noEmit false --declaration --emitDeclarationOnly --ignoreConfig --strict --skipLibCheck --types node ' +
    '--target es2024 --lib es2024,esnext.disposable,dom,dom.iterable,dom.asynciterable --module nodenext ' +
    '--moduleResolution nodenext --allowImportingTsExtensions --exactOptionalPropertyTypes --noUncheckedIndexedAccess';
  const places = ['--rootDir', root, '--outDir', out];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, ...options.split(' '), ...places, ...entries], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(out, file);
    writeFileSync(path, withRelativeImports(readFileSync(path, 'utf8'), file.split(sep).join('/')));
  }
  copyZod(join(out, 'zod'));
}

function withRelativeImports(declarations: string, file: string): string {
  const from = posix.dirname(file);
  const to = (path: string): string => {
    const found = posix.relative(from, path);
    return found.startsWith('.') ? found : `./${found}`;
  };
  return declarations
    .replaceAll(/(['"])zod\1/g, (_, quote: string) => `${quote}${to('zod/index.js')}${quote}`)
    .replaceAll(
      /(['"])#shared\/([^'"]+)\.ts\1/g,
      (_, quote: string, name: string) => `${quote}${to(`shared/${name}.js`)}${quote}`,
    )
    .replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1');
}

/** Copies the declarations that zod's entry imports, with its licence. */
function copyZod(out: string): void {
  const waiting = [join(zod, 'index.d.ts')];
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const target = join(out, relative(zod, path));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target);
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
      /(?:from|import\()\s*["'](\.[^"']+)["']/g,
    )) {
      const next = join(dirname(path), name.replace(/\.js$/, '.d.ts'));
      if (seen.has(next) || !existsSync(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  cpSync(join(zod, 'LICENSE'), join(out, 'LICENSE'));
}
