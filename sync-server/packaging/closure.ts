import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

import { z } from 'zod';

const packageFile = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * The packages that sources import, with their dependencies.
 *
 * @param root the project, with all packages installed
 * @param folders of the sources, relative to the root
 * @returns paths relative to the root, such as `node_modules/fastify`
 */
export function neededPackages(root: string, folders: readonly string[]): string[] {
  const needed = new Set<string>();
  const wanted = importedPackages(root, folders).map((name) => ({ name, from: '' }));
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const path = resolvePackage(root, next.from, next.name);
    // Optional packages of other systems and optional peers are not installed.
    if (path === null || needed.has(path)) continue;
    needed.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packageFile.parse(
      JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')),
    );
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    wanted.push(...names.map((name) => ({ name, from: path })));
  }
  return [...needed].toSorted();
}

/** Names of the packages that sources import. Imports of types do not count. */
function importedPackages(root: string, folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }));
  const names = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(
      /(?:^import(?! type\b)[^'"]*|^export(?! type\b)[^'"]* from |\bimport\(|\bresolve\()\s*['"]([^'"]+)['"]/gm,
    );
    return [...found].flatMap(([, specifier = '']) => packageOf(specifier) ?? []);
  });
  return [...new Set(names)].toSorted();
}

function packageOf(specifier: string): string | null {
  if (/^[.#/]/.test(specifier) || isBuiltin(specifier)) return null;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The folder in which Node.js finds a package from within another one; null if it is not installed. */
function resolvePackage(root: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (existsSync(join(root, path, 'package.json'))) return path;
    if (folder === '') return null;
  }
}
