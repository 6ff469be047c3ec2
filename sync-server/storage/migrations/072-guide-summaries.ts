import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Forgets the summary of a guide whose document changes. */
const forget = `WHEN OLD.collection = 'guides' BEGIN
  DELETE FROM guide_summaries WHERE guideid = CAST(OLD.id AS INTEGER);
END`;

/** Gives an entry the audience of its document. */
const sameAudience = `BEGIN
  UPDATE work_log SET audience = NEW.audience WHERE entryid = CAST(NEW.id AS INTEGER);
END`;

const statements = [
  `CREATE TABLE guide_summaries (
    guideid INTEGER PRIMARY KEY, version INTEGER NOT NULL, audience INTEGER NOT NULL, userid INTEGER NOT NULL,
    modified_date INTEGER NOT NULL, prerequisites TEXT, body TEXT NOT NULL)`,
  // Triggers, so that no code can change a guide and leave its summary, not even earlier code on this database.
  `CREATE TRIGGER guide_summaries_update AFTER UPDATE ON documents ${forget}`,
  `CREATE TRIGGER guide_summaries_delete AFTER DELETE ON documents ${forget}`,
  // Who sees an entry, so that lists of entries do not read their documents.
  'ALTER TABLE work_log ADD COLUMN audience INTEGER',
  `UPDATE work_log SET audience =
    (SELECT audience FROM documents WHERE collection = 'workLog' AND id = CAST(entryid AS TEXT))`,
  'CREATE INDEX work_log_audience ON work_log (audience)',
  `CREATE TRIGGER work_log_audience_insert AFTER INSERT ON documents WHEN NEW.collection = 'workLog' ${sameAudience}`,
  `CREATE TRIGGER work_log_audience_update AFTER UPDATE OF audience ON documents
    WHEN NEW.collection = 'workLog' AND NEW.audience <> OLD.audience ${sameAudience}`,
  // Pages of the list of guides, and its length.
  `CREATE INDEX guides_listed ON guides (public, deleted, guideid)`,
  // The titles of the children of a category.
  `DROP INDEX wikis_parent`,
  `CREATE INDEX wikis_parent ON wikis (namespace, parent, deleted, title)`,
];

/** Summaries of guides as lists send them (SUMMARY-1), audiences of entries, and indexes for lists. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
