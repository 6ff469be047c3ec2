import path from 'node:path';

/**
 * The floors of each top folder, lowest first. A file imports from its own folder and from folders of lower floors,
 * types included; folders on the same floor do not import each other. Files at the root of a top folder belong to the
 * folder `.`.
 */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'sync-server': [
    ['platform', 'demo-content', 'bootstrap', 'text'],
    ['storage', 'media', 'packaging'],
    ['core'],
    ['http', 'jobs'],
    ['features'],
    ['sync'],
    ['.', 'cli'],
  ],
  'desktop/engine': [
    ['platform', 'api'],
    ['journal', 'storage', 'drafts'],
    ['sync'],
    ['outbox'],
    ['account'],
    ['features'],
    ['areas'],
    ['views', 'actions'],
    ['.'],
  ],
};

const houses = Object.keys(floors);
const aliases: Readonly<Record<string, string>> = {
  '#server/': 'sync-server/',
  '#desktop/': 'desktop/',
  '#shared/': 'shared/',
};

/** The top folder of a file and its folder inside. */
interface FolderLocation {
  house: string;
  folder: string;
}

/** The place of a path from the root of the project; null: outside the top folders with floors. */
function placeOf(file: string): FolderLocation | null {
  const house = houses.find((name) => file.startsWith(`${name}/`));
  if (house === undefined) return null;
  const [first = '', ...rest] = file.slice(house.length + 1).split('/');
  return { house, folder: rest.length === 0 ? '.' : first };
}

/** The path from the root of the project of an import; null for a package. */
function targetOf(file: string, specifier: string): string | null {
  const alias = Object.entries(aliases).find(([name]) => specifier.startsWith(name));
  if (alias !== undefined) return alias[1] + specifier.slice(alias[0].length);
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null;
}

function floorOf({ house, folder }: FolderLocation): number {
  return (floors[house] ?? []).findIndex((folders) => folders.includes(folder));
}

/** Why `file` may not import `specifier`; null if it may. Both are paths from the root of the project. */
export function flawOf(file: string, specifier: string): string | null {
  const from = placeOf(file);
  const target = targetOf(file, specifier);
  const to = target === null ? null : placeOf(target);
  if (from === null || to === null || from.house !== to.house || from.folder === to.folder) return null;
  const own = floorOf(from);
  if (own < 0) return `${from.house}/${from.folder} stands on no floor: add it to test/rules/floors.ts`;
  const other = floorOf(to);
  if (other >= 0 && other < own) return null;
  return `${from.house}/${from.folder} does not import from ${to.folder}: it stands on the same floor or above (test/rules/floors.ts)`;
}

interface Literal {
  value?: unknown;
}

/** The part of the linter's context that the rule needs. */
interface LintContext {
  cwd: string;
  filename: string;
  report(finding: { node: unknown; message: string }): void;
}

type Visit = (node: { source?: Literal | null }) => void;

const oneWay = {
  create(context: LintContext): Record<string, Visit> {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const visit: Visit = ({ source }) => {
      if (typeof source?.value !== 'string') return;
      const message = flawOf(file, source.value);
      if (message !== null) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: visit,
      ExportAllDeclaration: visit,
      ExportNamedDeclaration: visit,
      ImportExpression: visit,
      TSImportType: visit,
    };
  },
};

/** The lint rule, as the linter loads it (`.oxlintrc.json`). */
export default { meta: { name: 'floors' }, rules: { 'one-way': oneWay } };
