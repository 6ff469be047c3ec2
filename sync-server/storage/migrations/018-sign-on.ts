import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE sign_ons (
    sign_onid TEXT PRIMARY KEY NOT NULL, request_id TEXT NOT NULL UNIQUE, url TEXT NOT NULL,
    userid INTEGER NOT NULL REFERENCES users (userid), created_date INTEGER NOT NULL, expires_date INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'confirmed', 'refused', 'taken')),
    authenticated_date INTEGER, error TEXT)`,
  `CREATE TABLE sign_on_tokens (
    token_hash TEXT PRIMARY KEY NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid),
    authenticated_date INTEGER NOT NULL, expires_date INTEGER NOT NULL)`,
  `CREATE TABLE sign_on_assertions (assertionid TEXT PRIMARY KEY NOT NULL, expires_date INTEGER NOT NULL)`,
];

/** Single sign-on for signatures: requests to the identity provider, what it asserted, and tokens that sign once. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
