import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `CREATE TABLE posts (
    postid INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK (kind IN ('post', 'story')),
    userid INTEGER NOT NULL REFERENCES users (userid), langid TEXT NOT NULL, title TEXT NOT NULL, text_raw TEXT NOT NULL,
    image TEXT, category TEXT, date INTEGER NOT NULL, modified_date INTEGER NOT NULL, deleted INTEGER NOT NULL)`,
  `CREATE INDEX posts_kind ON posts (kind, deleted, postid)`,
  `CREATE INDEX posts_user ON posts (userid, date)`,
];

/** Stories and posts, with their comments. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
