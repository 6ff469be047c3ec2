import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Forgets the packs that contain the version of a document before its change. */
const forget = `BEGIN
  DELETE FROM packs WHERE audience = OLD.audience AND collection = OLD.collection
    AND since < OLD.seq AND until >= OLD.seq;
END`;

const statements = [
  // The documents of an audience in feed order, without reading them.
  `CREATE INDEX documents_of_audience ON documents (audience, collection, seq)`,
  `DROP INDEX documents_audience`,
  `CREATE TABLE packs (
    audience INTEGER NOT NULL REFERENCES audiences (audience), collection TEXT NOT NULL, since INTEGER NOT NULL,
    until INTEGER NOT NULL, records INTEGER NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL,
    titles_hash TEXT, titles_bytes INTEGER, PRIMARY KEY (audience, collection, since)) WITHOUT ROWID`,
  `CREATE INDEX packs_hash ON packs (hash)`,
  `CREATE INDEX packs_titles ON packs (titles_hash) WHERE titles_hash IS NOT NULL`,
  // Triggers, so that nothing can change a document and leave its pack, not even earlier code on this database.
  `CREATE TRIGGER packs_update AFTER UPDATE ON documents ${forget}`,
  `CREATE TRIGGER packs_delete AFTER DELETE ON documents ${forget}`,
];

/** Packs of documents for initial loads (PACK-1), and the order of documents for those that are not packed. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
