import { readFile } from 'node:fs/promises';

import { must } from '#shared/must.ts';
import { parseAst, type Plugin } from 'vite';

type Statement = ReturnType<typeof parseAst>['body'][number];
type Import = Extract<Statement, { type: 'ImportDeclaration' }>;
type Specifier = Import['specifiers'][number];
type Name = Extract<Specifier, { type: 'ImportSpecifier' }>['imported'];

/** Where a package has an export: the module, as its main module names it, and its name there. */
interface Origin {
  source: string;
  name: string;
}

/** The main module of a package, and the exports that it takes from others. */
interface Main {
  path: string;
  origins: ReadonlyMap<string, Origin>;
}

/**
 * Lets modules import from the files of a package, and not from the one that exports all of them. Otherwise whatever
 * needs one icon seems to need every icon of the app, and all of them are loaded before the first screen.
 */
export function importedByName(packages: readonly string[]): Plugin {
  const mains = new Map<string, Main>();
  return {
    name: 'imported-by-name',
    async buildStart() {
      for (const name of packages) {
        const { id } = must(await this.resolve(name), name);
        mains.set(name, { path: id, origins: originsIn(await readFile(id, 'utf8')) });
      }
    },
    transform: {
      filter: { id: /[\\/](?:desktop|test)[\\/].*\.tsx?$/, code: packages.map((name) => new RegExp(name)) },
      async handler(code) {
        let result = code;
        // From the end, so that the places of those before stay right.
        for (const node of parseAst(code).body.toReversed()) {
          const main = node.type === 'ImportDeclaration' ? mains.get(node.source.value) : undefined;
          if (node.type !== 'ImportDeclaration' || main === undefined) continue;
          const imports = node.specifiers.map(async (one) => {
            const { source, name } = originOf(one, main);
            const { id } = must(await this.resolve(source, main.path), source);
            return `import { ${name} as ${one.local.name} } from ${JSON.stringify(id)};`;
          });
          result =
            result.slice(0, node.start) + (await Promise.all(imports)).join(' ') + result.slice(node.end);
        }
        // Each statement stays on its line.
        return { code: result, map: null };
      },
    },
  };
}

function originOf(one: Specifier, { path, origins }: Main): Origin {
  const origin = one.type === 'ImportSpecifier' ? origins.get(textOf(one.imported)) : undefined;
  return must(origin, `${one.local.name} among the exports of ${path}`);
}

function originsIn(code: string): ReadonlyMap<string, Origin> {
  const imported = new Map<string, Origin>();
  const exported = new Map<string, Origin>();
  for (const node of parseAst(code).body) {
    if (node.type === 'ImportDeclaration')
      for (const one of node.specifiers)
        if (one.type === 'ImportSpecifier')
          imported.set(one.local.name, { source: node.source.value, name: textOf(one.imported) });
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const { local, exported: as } of node.specifiers) {
      const origin =
        node.source === null
          ? imported.get(textOf(local))
          : { source: node.source.value, name: textOf(local) };
      if (origin !== undefined) exported.set(textOf(as), origin);
    }
  }
  return exported;
}

function textOf(name: Name): string {
  return name.type === 'Identifier' ? name.name : name.value;
}
