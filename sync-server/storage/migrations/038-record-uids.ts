import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Every record gets a unique id that no other record ever has, even if its number is given out again after a restore:
 * the nonce of the feed row that created it. It follows from the feed, so a restored older backup gets the same ids.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql.raw(`ALTER TABLE documents ADD COLUMN uid TEXT NOT NULL DEFAULT ''`).execute(db);
  await sql
    .raw(
      `UPDATE documents SET uid = feed.nonce
       FROM (SELECT collection, id, nonce, min(seq) FROM feed GROUP BY collection, id) AS feed
       WHERE documents.collection = feed.collection AND documents.id = feed.id`,
    )
    .execute(db);
}
