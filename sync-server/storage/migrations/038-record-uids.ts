import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/**
 * Every record gets an identity that no other record ever has, also where its number is given again after a restore:
 * the nonce of the feed row that made it. It follows from the feed, so that a backup of before comes to the same.
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
