import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

import { migrate } from '../migrations/index.ts';
import type { Tables } from '../tables.ts';
import type { MovedTable } from './data.ts';

/**
 * Rows of `meta` that belong to a database and not to the site: versions of its schema, and what moves note in it
 * (`marks.ts`).
 */
export const ownMeta: readonly string[] = [
  'schema_version',
  'oldest_code',
  'audit_triggers',
  'sealed',
  'moved',
  'arriving',
];

/**
 * Tables that are not copied: the index of words is made again, packs too, and the server's key is placed where the
 * database keeps it.
 */
export const leftOut: ReadonlySet<string> = new Set(['search_index', 'packs', 'server_keys']);

/** The tables of a site in the newest schema. Both databases have the same. */
export async function movedTables(): Promise<MovedTable[]> {
  const sqlite = new BetterSqlite3(':memory:');
  try {
    // The ids that a migration makes here are thrown away.
    const randomBytes = (size: number): Uint8Array => new Uint8Array(size);
    await migrate(new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) }), { randomBytes });
    const names = sqlite
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE 'search\\_index\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .pluck()
      .all() as string[];
    return names.filter((name) => !leftOut.has(name)).map((name) => movedTable(sqlite, name));
  } finally {
    sqlite.close();
  }
}

function movedTable(sqlite: BetterSqlite3.Database, name: string): MovedTable {
  const infos = sqlite.prepare(`PRAGMA table_info("${name}")`).all() as { name: string; pk: number }[];
  const columns = infos.map((info) => info.name);
  const key = infos
    .filter(({ pk }) => pk > 0)
    .toSorted((one, other) => one.pk - other.pk)
    .map((info) => info.name);
  return {
    name,
    columns,
    order: key.length > 0 ? key : columns,
    ...(name === 'meta' ? { rows: `name NOT IN (${ownMeta.map((one) => `'${one}'`).join(', ')})` } : {}),
  };
}
