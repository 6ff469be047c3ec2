import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import * as first from '#server/storage/migrations/001-first.ts';
import * as tracing from '#server/storage/migrations/057-tracing.ts';
import type { Tables } from '#server/storage/tables.ts';

const event = (data?: object[]): object => ({
  type: data === undefined ? 'start' : 'data',
  userid: 1,
  at: 5,
  data,
});
const code = (field_guid: string, value: string): object => ({ field_guid, field_type: 'Text Input', value });

test('TRACE-2 entries from before numbers were indexed are found, and follow the audience of their documents', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  const store = (collection: string, id: number, audience: number, body: object) =>
    sql`INSERT INTO documents (collection, id, seq, audience, body)
      VALUES (${collection}, ${String(id)}, ${id}, ${audience}, ${JSON.stringify(body)})`.execute(db);
  const entry = async (entryid: number, audience: number, more: object): Promise<void> => {
    await sql`INSERT INTO work_log (entryid, guideid, userid, workorderid, status, starttime, endtime)
      VALUES (${entryid}, 61, 1, 'WO', 'started', 5, NULL)`.execute(db);
    await store('workLog', entryid, audience, { entryid, guideid: 61, guide_revisionid: 4, ...more });
  };
  try {
    await first.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ana', '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO guides (guideid, revisionid, guide_revisionid, userid, public, deleted, featured, category,
      type, title, langid, created_date, modified_date)
      VALUES (61, 1, 1, 1, 1, 0, 0, 'C', 'repair', 'T', 'en', 5, 6)`.execute(db);
    await sql`INSERT INTO guide_revisions VALUES (61, 3, 3, 1, 6, '{}'), (61, 4, 4, 1, 7, '{}')`.execute(db);
    for (const audience of [2, 3, 4, 7])
      await sql`INSERT INTO audiences (audience, principals) VALUES (${audience}, ${`user:${audience}`})`.execute(
        db,
      );
    await store('plannedOrders', 9, 2, { serials: ['SN 9'] });
    await entry(1, 3, {
      planned_orderid: 9,
      events: [event(), event([code('a', 'Old'), code('b', ' Lot 7 ')])],
    });
    await entry(2, 4, {
      revisions: [
        { decision: 'start', counted: { number: 5 } },
        { decision: 'keep', counted: { number: 6 } },
      ],
      events: [event(), event([code('a', 'Old')]), event([code('a', '')])],
    });
    await tracing.up(db);
    expect(await db.selectFrom('traced_numbers').selectAll().orderBy('number').execute()).toEqual([
      { number: 'lot 7', entryid: 1, kind: 'part', audience: 3, text: 'Lot 7' },
      { number: 'old', entryid: 1, kind: 'part', audience: 3, text: 'Old' },
      { number: 'sn 9', entryid: 1, kind: 'unit', audience: 3, text: 'SN 9' },
    ]);
    expect(await db.selectFrom('worked_revisions').selectAll().orderBy('entryid').execute()).toEqual([
      { guideid: 61, revision_number: 2, entryid: 1, audience: 3 },
      { guideid: 61, revision_number: 5, entryid: 2, audience: 4 },
    ]);
    await sql`UPDATE documents SET audience = 7 WHERE collection = 'workLog' AND id = '1'`.execute(db);
    const audiences = await sql<{ audience: number }>`SELECT DISTINCT audience FROM traced_numbers
      UNION ALL SELECT audience FROM worked_revisions ORDER BY 1`.execute(db);
    expect(audiences.rows.map(({ audience }) => audience)).toEqual([4, 7, 7]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
