import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE app_ids (
    appid TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, created_date INTEGER NOT NULL, revoked_date INTEGER)`,
  `ALTER TABLE tokens ADD COLUMN impersonator INTEGER`,
  // Requests for accounts that do not exist are rows without a userid, so that they take the same time.
  `CREATE TABLE password_resets (
    token_hash TEXT PRIMARY KEY NOT NULL, userid INTEGER, expires_date INTEGER NOT NULL)`,
  `CREATE INDEX password_resets_user ON password_resets (userid)`,
  `CREATE TABLE reset_requests (subject TEXT NOT NULL, date INTEGER NOT NULL)`,
  `CREATE INDEX reset_requests_subject ON reset_requests (subject, date)`,
];

/** App ids move from the settings to a table of their own. Sessions record impersonation. Passwords can be reset. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'site').executeTakeFirst();
  if (row === undefined) return;
  const { appIds = [], ...site } = JSON.parse(row.value) as { appIds?: string[] };
  await db
    .updateTable('meta')
    .set({ value: JSON.stringify(site) })
    .where('name', '=', 'site')
    .execute();
  for (const appid of new Set(appIds))
    await db
      .insertInto('app_ids')
      .values({ appid, name: 'Issued before', created_date: 0, revoked_date: null })
      .execute();
}
