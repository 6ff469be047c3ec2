import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE text_pictures (
    collection TEXT NOT NULL, id TEXT NOT NULL, imageid INTEGER NOT NULL, PRIMARY KEY (collection, id, imageid))`,
  `CREATE INDEX text_pictures_image ON text_pictures (imageid)`,
  `CREATE INDEX comments_guide ON comments (guideid)`,
  `CREATE INDEX comments_parent ON comments (parentid)`,
  `CREATE INDEX step_form_fields_step ON step_form_fields (stepid)`,
  `CREATE INDEX feed_record ON feed (collection, id)`,
];

/** Stores which pictures texts show, and adds indexes for reading guides. Existing texts keep all their pictures. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const documents = await db
    .selectFrom('documents')
    .select(['collection', 'id', 'body'])
    .where('collection', 'in', ['guides', 'wikis', 'comments', 'people'])
    .where('body', 'like', '%[image|%')
    .execute();
  for (const { collection, id, body } of documents) {
    const named = new Set([...body.matchAll(/\[image\|(\d{1,15})/g)].map((match) => Number(match[1])));
    for (const imageid of named)
      await db.insertInto('text_pictures').values({ collection, id, imageid }).execute();
  }
}
