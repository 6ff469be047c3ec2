import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as stations from '#server/storage/migrations/061-stations.ts';
import type { Tables } from '#server/storage/tables.ts';

test('STATION-9 comments from before there were stations name none', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  try {
    await first.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ana', '["User"]', 5, 1, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO comments (context, contextid, userid, text_raw, date, modified_date, replied_date, rating, status)
      VALUES ('guide', 61, 1, 'Torn belt', 5, 0, 0, 0, 'public')`.execute(db);
    await stations.up(db);
    expect(await db.selectFrom('comments').select(['text_raw', 'stationid']).execute()).toEqual([
      { text_raw: 'Torn belt', stationid: null },
    ]);
    expect(await db.selectFrom('stations').selectAll().execute()).toEqual([]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
