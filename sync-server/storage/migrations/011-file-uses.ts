import { sql, type Kysely } from 'kysely';

import { filesIn } from '../file-names.ts';
import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE file_uses (
    collection TEXT NOT NULL, id TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (collection, id, file))`,
  `CREATE INDEX file_uses_file ON file_uses (file)`,
];

/** Stores which records show which files, including existing ones. Existing texts keep all their linked files. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const records = await db
    .selectFrom('documents')
    .select(['collection', 'id'])
    .where('collection', 'in', ['guides', 'wikis', 'people', 'workLog'])
    .execute();
  for (const { collection, id } of records) {
    const { body } = await db
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', collection)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { shown, linked } = filesIn(collection, body);
    for (const file of [...shown, ...linked])
      await db.insertInto('file_uses').values({ collection, id, file }).execute();
  }
}
