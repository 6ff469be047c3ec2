import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What only SQLite or only PostgreSQL understands. */
const ofOneDatabase = new RegExp(
  [
    String.raw`\bjson_(?:array_length|each|extract|group_array|group_object|patch|remove|set|tree|valid)\b`,
    String.raw`->>|#>>`,
    String.raw`\b(?:GLOB|INSERT OR|REPLACE INTO|ILIKE|PRAGMA|NOCASE)\b`,
    String.raw`\browid\b`,
    String.raw`\b(?:group_concat|ifnull|instr|julianday|printf|randomblob|strftime|unixepoch)\(`,
    String.raw`\bsqlite_(?:master|schema|sequence)\b`,
    String.raw`'(?:not )?like'|\bLIKE\b`,
    String.raw`\bjsonb?_\w+\(|\bpg_\w+|\bcurrent_setting\(`,
    String.raw`[\w)']::[a-z]`,
    'better-sqlite3',
  ].join('|'),
);

/** Where that may stand: the one place of each difference, and what is about one of the databases by nature. */
const allowed = [
  'cli/database-refusals.ts',
  'cli/move-command.ts',
  'cli/restore-command.ts',
  'cli/restored-command.ts',
  'features/backup/**',
  'features/health/**',
  'storage/audit/watcher.ts',
  'storage/dialect.ts',
  'storage/folder-lock.ts',
  'storage/leap.ts',
  'storage/long-reads-thread.ts',
  'storage/migrations/**',
  'storage/move/**',
  'storage/postgres/**',
  'storage/search-entries.ts',
  'storage/search.ts',
  'storage/sqlite.ts',
  'sync/packs/make-packs.ts',
];

/** The lines of a source, without comments, that only one of the databases understands. */
function linesOfOne(source: string): string[] {
  return source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)\/\/.*/, '').trim())
    .filter((line) => ofOneDatabase.test(line));
}

const cwd = `${root}sync-server`;
const slashed = (path: string): string => path.replaceAll('\\', '/');

test('STORAGE-36 SQL that one database does not understand is only in the files for it', () => {
  const exempt = new Set(allowed.flatMap((pattern) => globSync(pattern, { cwd })).map(slashed));
  const files = globSync('**/*.ts', { cwd }).map(slashed);
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter((file) => !exempt.has(file))
    .flatMap((file) => linesOfOne(readFileSync(`${cwd}/${file}`, 'utf8')).map((line) => `${file}: ${line}`));
  expect(found, 'Use the functions of sync-server/storage/dialect.ts').toEqual([]);
});

test('STORAGE-36 every file that may contain such SQL exists and does', () => {
  for (const pattern of allowed) {
    const texts = globSync(pattern, { cwd })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${cwd}/${file}`, 'utf8'));
    expect(texts.flatMap(linesOfOne), pattern).not.toEqual([]);
  }
});

test.each([
  "sql`json_extract(body, '$.a')`",
  "sql`body ->> '$.a'`",
  ".where('name', 'like', 'a%')",
  'sql`name LIKE ${pattern}`',
  'INSERT OR IGNORE INTO tags',
  'SELECT rowid FROM tags',
  "strftime('%s')",
  'group_concat(name)',
  'sql`id::text`',
  'PRAGMA data_version',
])('STORAGE-36 is noticed: %s', (line) => {
  expect(linesOfOne(`const a = 1;\n${line}\n`)).toEqual([line]);
});

test.each(["'a like that'", '// LIKE', '/* rowid */', 'Array<string>', "':: '"])(
  'STORAGE-36 is not noticed: %s',
  (line) => {
    expect(linesOfOne(line)).toEqual([]);
  },
);
