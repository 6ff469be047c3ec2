import { sql, type Kysely } from 'kysely';

import { newUuid } from '#server/platform/random.ts';

import type { Tables } from '../tables.ts';

/** Accounts get an id that no other account has, on any server. */
export async function up(db: Kysely<Tables>, randomBytes: (size: number) => Uint8Array): Promise<void> {
  await sql.raw('ALTER TABLE users ADD COLUMN accountid TEXT').execute(db);
  await sql.raw('CREATE UNIQUE INDEX users_account ON users (accountid)').execute(db);
  for (const { userid } of await db.selectFrom('users').select('userid').execute())
    await db
      .updateTable('users')
      .set({ accountid: newUuid({ randomBytes }) })
      .where('userid', '=', userid)
      .execute();
}
