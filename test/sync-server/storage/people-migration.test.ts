import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as people from '#server/storage/migrations/003-people.ts';
import type { Tables } from '#server/storage/tables.ts';

test('STORAGE-20 actions from before merits existed count for nothing more, and can be found by name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  try {
    await first.up(db);
    for (const [userid, name] of [
      [1, 'ÖZGÜR'],
      [2, 'Ben'],
    ]) {
      await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
        VALUES (${userid}, ${name}, '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    }
    for (const [guideid, isPublic] of [
      [61, 1],
      [62, 0],
    ]) {
      await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
        type, title, langid, created_date, modified_date)
        VALUES (${guideid}, 1, 1, 1, ${isPublic}, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
      await sql`INSERT INTO favorites VALUES (1, ${guideid}, 7), (2, ${guideid}, 7)`.execute(db);
    }
    await sql`INSERT INTO guide_revisions VALUES (61, 1, 1, 1, 6, '{}'), (61, 2, 2, 2, 7, '{}'), (61, 3, 3, 2, 8, '{}')`.execute(
      db,
    );
    await people.up(db);
    const merits = await db.selectFrom('merits').selectAll().orderBy('subject').orderBy('kind').execute();
    expect(
      merits.map(({ kind, subject, userid, points, active }) => [kind, subject, userid, points, active]),
    ).toEqual([
      ['guide.published', 'guide:61', 1, 0, 1],
      ['guide.edited', 'guide:61 by 2', 2, 0, 1],
      ['guide.favorited', 'guide:61 by 2', 1, 0, 1],
      ['guide.favorited', 'guide:62 by 2', 1, 0, 1],
    ]);
    const found = await db
      .selectFrom('users')
      .select(['username_search', 'reputation'])
      .orderBy('userid')
      .execute();
    expect(found).toEqual([
      { username_search: 'özgür', reputation: 240 },
      { username_search: 'ben', reputation: 240 },
    ]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
