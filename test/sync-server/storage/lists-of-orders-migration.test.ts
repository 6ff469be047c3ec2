import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as planned from '#server/storage/migrations/055-planned-orders.ts';
import * as lists from '#server/storage/migrations/060-lists-of-orders.ts';
import type { Tables } from '#server/storage/tables.ts';

test('ORDER-LIST-1 entries from before have the number of values that were missing at their end', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  try {
    await first.up(db);
    await planned.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ana', '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
      type, title, langid, created_date, modified_date)
      VALUES (61, 1, 1, 1, 1, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
    await sql`INSERT INTO audiences (audience, principals) VALUES (1, 'public')`.execute(db);
    const gap = { field_revisionid: 4, field_guid: 'f', label: 'Torque', stepid: 7, reason: '"gaps":[{}]' };
    const ends = [[gap, gap], [], undefined];
    for (const [index, gaps] of ends.entries()) {
      await sql`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
        VALUES (${index + 1}, 61, 1, 'WO', 'complete', 5, 9)`.execute(db);
      const events = [{ type: 'start' }, { type: 'finish', ...(gaps === undefined ? {} : { gaps }) }];
      await sql`INSERT INTO documents (collection, id, seq, audience, body)
        VALUES ('workLog', ${String(index + 1)}, ${index + 100}, 1, ${JSON.stringify({ events })})`.execute(
        db,
      );
    }
    await lists.up(db);
    const rows = await db.selectFrom('work_log').select(['entryid', 'gaps']).orderBy('entryid').execute();
    expect(rows.map(({ gaps }) => gaps)).toEqual([2, 0, 0]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
