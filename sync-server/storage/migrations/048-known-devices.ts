import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Devices and addresses from which a person signed in: failed attempts elsewhere do not lock them out there. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(
      'CREATE TABLE known_devices (userid INTEGER NOT NULL REFERENCES users (userid), key_hash TEXT NOT NULL, seen_date INTEGER NOT NULL, PRIMARY KEY (userid, key_hash)) WITHOUT ROWID',
    )
    .execute(db);
}
