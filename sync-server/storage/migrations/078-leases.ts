import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** SQLite needs no leases: one process does all work of the site. */
export async function up(): Promise<void> {}

/**
 * Leases of the nodes. `term` counts the takings of a lease; `ends` is a time of the database's clock. The term belongs to
 * a key, so that a transaction that locks the key of a row (`FOR KEY SHARE`) waits for takings, and not for renewals.
 */
export async function onPostgres(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE leases (
    name TEXT PRIMARY KEY, node TEXT NOT NULL, term BIGINT NOT NULL, ends TIMESTAMPTZ NOT NULL, UNIQUE (name, term)
  )`.execute(db);
}
