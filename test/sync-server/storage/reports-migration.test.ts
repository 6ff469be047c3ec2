import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as reports from '#server/storage/migrations/064-reports.ts';
import type { Tables } from '#server/storage/tables.ts';

const minute = 60_000;

test('REPORT-1 orders that were finished before reports existed are counted, and follow the audience of their documents', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  const entry = async (entryid: number, status: string, last: object): Promise<void> => {
    await sql`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
      VALUES (${entryid}, 61, 1, 'WO', ${status}, 5, 6)`.execute(db);
    const torque = {
      field_guid: 'f',
      field_revisionid: 3,
      field_type: 'Numeric Input',
      label: 'Torque',
      stepid: 7,
      value: '3.5',
    };
    const events = [
      { type: 'start', userid: 1, at: 0, stepid: 7 },
      { type: 'data', userid: 1, at: minute, data: [{ ...torque, limits: { min: 2, max: null } }] },
      { userid: 1, at: 2 * minute, ...last },
    ];
    await sql`INSERT INTO documents (collection, id, seq, audience, body)
      VALUES ('workLog', ${String(entryid)}, ${entryid}, 3, ${JSON.stringify({ entryid, guideid: 61, events })})`.execute(
      db,
    );
  };
  try {
    await first.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ana', '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
      type, title, langid, created_date, modified_date)
      VALUES (61, 1, 1, 1, 1, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
    for (const audience of [3, 4])
      await sql`INSERT INTO audiences (audience, principals) VALUES (${audience}, ${`user:${audience}`})`.execute(
        db,
      );
    const gap = { field_guid: 'g', field_revisionid: 4, label: 'Photo', stepid: 8, reason: null };
    await entry(1, 'complete', { type: 'finish', gaps: [gap] });
    await entry(2, 'cancelled', { type: 'cancel' });
    await reports.up(db);
    expect(await db.selectFrom('finished_orders').selectAll().execute()).toEqual([
      { entryid: 1, guideid: 61, userid: 1, ended: 120, active: 120, missing: 1, audience: 3 },
    ]);
    expect(await db.selectFrom('step_times').selectAll().execute()).toEqual([
      { entryid: 1, stepid: 7, seconds: 120 },
    ]);
    expect(await db.selectFrom('missing_values').selectAll().execute()).toEqual([
      { entryid: 1, field_guid: 'g', stepid: 8, label: 'Photo' },
    ]);
    expect(await db.selectFrom('measured_numbers').selectAll().execute()).toEqual([
      {
        field_guid: 'f',
        ended: 120,
        entryid: 1,
        stepid: 7,
        label: 'Torque',
        unit: '',
        value: 3.5,
        min: 2,
        max: null,
        userid: 1,
        at: 60,
      },
    ]);
    await sql`UPDATE documents SET audience = 4 WHERE id = '1'`.execute(db);
    const { audience } = await db.selectFrom('finished_orders').select('audience').executeTakeFirstOrThrow();
    expect(audience).toBe(4);
    await db.deleteFrom('work_log').execute();
    expect(await db.selectFrom('measured_numbers').selectAll().execute()).toEqual([]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
