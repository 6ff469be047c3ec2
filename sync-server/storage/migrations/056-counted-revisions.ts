import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Counts the revisions of each guide, so that people and devices know its number. Feed rows report each guide. Stored
 * versions stay as they were signed; those without a number are counted when they are read.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  const counts = await db
    .selectFrom('guide_revisions')
    .select(['guideid', ({ fn }) => fn.countAll<number>().as('number')])
    .groupBy('guideid')
    .execute();
  for (const { guideid, number } of counts) {
    const document = await db
      .selectFrom('documents')
      .select(['id', 'body', 'audience'])
      .where('collection', '=', 'guides')
      .where('id', '=', String(guideid))
      .executeTakeFirst();
    if (document === undefined) continue;
    const { id, body, audience } = document;
    const facts: { modified_date: number } = JSON.parse(body);
    const told = await sql<{ seq: number }>`INSERT INTO feed
      (nonce, collection, id, key, userid, audience_before, audience_after, detail)
      VALUES (lower(hex(randomblob(6))), 'guides', ${id}, NULL, NULL, ${audience}, ${audience}, NULL)
      RETURNING seq`.execute(db);
    await db
      .updateTable('documents')
      .set({
        seq: told.rows[0]?.seq ?? 0,
        body: JSON.stringify({ ...facts, revision: { number, date: facts.modified_date } }),
      })
      .where('collection', '=', 'guides')
      .where('id', '=', id)
      .execute();
  }
}
