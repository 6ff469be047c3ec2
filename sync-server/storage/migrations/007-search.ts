import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The index uses SQLite's FTS5. Only `search.ts` and `search-entries.ts` access it. */
const statements = [
  `CREATE TABLE search_entries (
    entryid INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    UNIQUE (collection, id))`,
  `CREATE VIRTUAL TABLE search_index USING fts5 (
    title, about, text, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2')`,
];

/** The search index. A later migration fills it with existing records. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
