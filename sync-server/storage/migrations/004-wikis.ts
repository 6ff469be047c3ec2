import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  // Columns for the tree of categories, so that a tree of thousands reads no documents.
  `ALTER TABLE wikis ADD COLUMN display_title TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE wikis ADD COLUMN stub INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE wikis ADD COLUMN source_revisionid INTEGER`,
  `ALTER TABLE wikis ADD COLUMN unpatrolled_revisionid INTEGER`,
  `CREATE INDEX wikis_parent ON wikis (namespace, parent)`,
  `ALTER TABLE wiki_revisions ADD COLUMN patrolled INTEGER NOT NULL DEFAULT 1`,
  `CREATE INDEX wiki_tags_tag ON wiki_tags (tagid)`,
  `CREATE INDEX guide_tags_tag ON guide_tags (tagid)`,
  `CREATE TABLE glossary_entries (
    entryid INTEGER PRIMARY KEY AUTOINCREMENT, source_langid TEXT NOT NULL, term TEXT NOT NULL, notes TEXT NOT NULL,
    UNIQUE (source_langid, term))`,
  `CREATE TABLE glossary_translations (
    entryid INTEGER NOT NULL REFERENCES glossary_entries (entryid), langid TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (entryid, langid))`,
  `CREATE TABLE machine_translations (
    source_langid TEXT NOT NULL, langid TEXT NOT NULL, text TEXT NOT NULL, translation TEXT NOT NULL, date INTEGER NOT NULL,
    PRIMARY KEY (source_langid, langid, text))`,
];

/** Patrolling of wikis, a fast tree of categories, the translation glossary, and a cache of machine translations. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'body'])
    .where('collection', '=', 'wikis')
    .execute();
  for (const row of rows) {
    const facts = JSON.parse(row.body) as {
      display_title: string;
      contents_raw: string;
      source_revisionid: number | null;
    };
    await db
      .updateTable('wikis')
      .set({
        display_title: facts.display_title,
        stub: facts.contents_raw.trim() === '' ? 1 : 0,
        source_revisionid: facts.source_revisionid,
      })
      .where('wikiid', '=', Number(row.id))
      .execute();
  }
}
