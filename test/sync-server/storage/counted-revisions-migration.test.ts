import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as counted from '#server/storage/migrations/056-counted-revisions.ts';
import type { Tables } from '#server/storage/tables.ts';

test('GUIDE-REVISION-10 guides from before revisions were counted get their number, and devices are told', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  try {
    await first.up(db);
    for (const userid of [1, 2])
      await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
        VALUES (${userid}, ${`U${userid}`}, '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    for (const guideid of [61, 62])
      await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
        type, title, langid, created_date, modified_date)
        VALUES (${guideid}, 1, 1, 1, 1, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
    await sql`INSERT INTO guide_revisions VALUES (61, 1, 1, 1, 6, '{}'), (61, 2, 2, 2, 7, '{}'), (62, 3, 3, 2, 8, '{}')`.execute(
      db,
    );
    await sql`INSERT INTO audiences (audience, principals) VALUES (1, 'public')`.execute(db);
    await sql`INSERT INTO documents (collection, id, seq, audience, body)
      VALUES ('guides', '61', 100, 1, '{"guideid":61,"modified_date":7}')`.execute(db);
    await counted.up(db);
    const [document] = await db.selectFrom('documents').select(['seq', 'body']).execute();
    expect(JSON.parse(document?.body ?? '')).toEqual({
      guideid: 61,
      modified_date: 7,
      revision: { number: 2, date: 7 },
    });
    expect(await db.selectFrom('feed').select(['seq', 'collection', 'id']).execute()).toEqual([
      { seq: document?.seq, collection: 'guides', id: '61' },
    ]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
