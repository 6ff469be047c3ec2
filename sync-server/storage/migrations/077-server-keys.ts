import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** The private key of the server, where nodes share a database. With SQLite it is a file beside the database. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE server_keys (name TEXT PRIMARY KEY NOT NULL, pem TEXT NOT NULL)`.execute(db);
}
