import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The table that this migration removes. */
interface Before {
  archived_authors: { guideid: number; given_userid: number; userid: number; name: string };
}

/**
 * The original author of an imported guide becomes a part of its facts, so that devices get it. Feed rows report each
 * such guide. Stored versions stay as they were signed.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const authors = await sql<Before['archived_authors']>`SELECT * FROM archived_authors`.execute(db);
  for (const { guideid, ...author } of authors.rows) {
    const document = await db
      .selectFrom('documents')
      .select(['id', 'body', 'audience'])
      .where('collection', '=', 'guides')
      .where('id', '=', String(guideid))
      .executeTakeFirst();
    if (document === undefined) continue;
    const { id, body, audience } = document;
    const told = await sql<{ seq: number }>`INSERT INTO feed
      (nonce, collection, id, key, userid, audience_before, audience_after, detail)
      VALUES (lower(hex(randomblob(6))), 'guides', ${id}, NULL, NULL, ${audience}, ${audience}, NULL)
      RETURNING seq`.execute(db);
    const facts: object = JSON.parse(body);
    await db
      .updateTable('documents')
      .set({
        seq: told.rows[0]?.seq ?? 0,
        body: JSON.stringify({ ...facts, archived_author: author }),
      })
      .where('collection', '=', 'guides')
      .where('id', '=', id)
      .execute();
  }
  await sql`DROP TABLE archived_authors`.execute(db);
}
