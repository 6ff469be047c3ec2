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
  `ALTER TABLE users ADD COLUMN password_date INTEGER`,
  `CREATE TABLE account_names (
    kind TEXT NOT NULL, value TEXT NOT NULL, userid INTEGER NOT NULL REFERENCES users (userid),
    PRIMARY KEY (kind, value))`,
  ...['email', 'unique_username', 'sso_userid'].flatMap((kind) => [
    `INSERT INTO account_names SELECT '${kind}', ${kind}, userid FROM users WHERE ${kind} IS NOT NULL`,
    ...['INSERT', `UPDATE OF ${kind}`].map(
      (op) =>
        `CREATE TRIGGER account_names_${kind}_${op.slice(0, 6).toLowerCase()} AFTER ${op} ON users WHEN NEW.${kind} IS NOT NULL
          BEGIN INSERT OR IGNORE INTO account_names VALUES ('${kind}', NEW.${kind}, NEW.userid); END`,
    ),
  ]),
];

/**
 * Single sign-on for signatures: requests to the identity provider, used assertions, and tokens for signing once.
 * Former names of accounts, so that no other account gets them (21 CFR 11.100), and the age of passwords (11.300).
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
