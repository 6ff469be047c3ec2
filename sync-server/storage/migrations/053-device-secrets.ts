import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Secrets that the server keeps for devices, by the id of the account, because its number may be given again. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(
      'CREATE TABLE device_secrets (accountid TEXT NOT NULL REFERENCES users (accountid) ON DELETE CASCADE, device TEXT NOT NULL, secret TEXT NOT NULL, created_date INTEGER NOT NULL, PRIMARY KEY (accountid, device)) WITHOUT ROWID',
    )
    .execute(db);
}
