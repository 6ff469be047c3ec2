import { sql, type Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

const statements = [
  `ALTER TABLE posts ADD COLUMN intro_raw TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE posts ADD COLUMN conclusion_raw TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE posts ADD COLUMN guideid INTEGER REFERENCES guides (guideid)`,
  `CREATE INDEX posts_guide ON posts (guideid) WHERE guideid IS NOT NULL`,
];

/** Stories get an introduction, a conclusion and a guide. */
export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
