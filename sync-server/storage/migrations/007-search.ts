import { sql, type Kysely } from 'kysely';

import { indexDocument, searchTables } from '../search.ts';
import type { Tables } from '../tables.ts';

/** The search index, filled with what is there. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of searchTables) await sql.raw(statement).execute(db);
  const ids = await db
    .selectFrom('documents')
    .select(['collection', 'id'])
    .where('collection', 'in', ['guides', 'wikis'])
    .execute();
  for (const { collection, id } of ids) {
    const { body } = await db
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', collection)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await indexDocument(db, collection, id, JSON.parse(body));
  }
}
