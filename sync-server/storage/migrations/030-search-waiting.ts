import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `ALTER TABLE search_entries ADD COLUMN audience INTEGER NOT NULL DEFAULT 0`,
  `UPDATE search_entries SET audience = COALESCE((
    SELECT audience FROM documents
    WHERE documents.collection = search_entries.collection AND documents.id = search_entries.id), 0)`,
  `CREATE TABLE search_waiting (collection TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (collection, id))`,
  `INSERT INTO search_waiting (collection, id)
    SELECT collection, id FROM documents WHERE collection IN ('guides', 'wikis') AND NOT EXISTS (
      SELECT 1 FROM search_entries
      WHERE search_entries.collection = documents.collection AND search_entries.id = documents.id)`,
];

/** The audience of a record moves next to its words, which are now indexed after the transaction that wrote it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
