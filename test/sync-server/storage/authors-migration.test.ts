import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as archivedAuthors from '#server/storage/migrations/027-archived-authors.ts';
import * as authorsInGuides from '#server/storage/migrations/034-authors-in-guides.ts';
import type { Tables } from '#server/storage/tables.ts';

test('OMANUAL-IMPORT-4 the authors of previously imported guides are sent to devices', async () => {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new BetterSqlite3(':memory:') }) });
  try {
    await first.up(db);
    await archivedAuthors.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ben', '["User"]', 5, 0, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO audiences VALUES (1, 'all')`.execute(db);
    for (const guideid of [5, 6]) {
      await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
        type, title, langid, created_date, modified_date)
        VALUES (${guideid}, 1, 1, 1, 1, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
      await sql`INSERT INTO documents (collection, id, seq, audience, body)
        VALUES ('guides', ${String(guideid)}, ${guideid}, 1, ${JSON.stringify({ guideid, userid: 1 })})`.execute(
        db,
      );
    }
    await sql`INSERT INTO archived_authors VALUES (6, 1, 31, 'Zoe')`.execute(db);
    await authorsInGuides.up(db);
    const documents = await db.selectFrom('documents').select(['body', 'seq']).orderBy('id').execute();
    const told = await db.selectFrom('feed').select(['seq', 'id', 'audience_after']).execute();
    expect(told).toEqual([{ seq: documents[1]?.seq, id: '6', audience_after: 1 }]);
    expect(documents.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { guideid: 5, userid: 1 },
      { guideid: 6, userid: 1, archived_author: { given_userid: 1, userid: 31, name: 'Zoe' } },
    ]);
  } finally {
    await db.destroy();
  }
});
