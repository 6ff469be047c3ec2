import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { auditActions } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { acknowledgeGap, guardAudit } from '#server/features/audit/guard.ts';
import { hashOf, type AuditRow } from '#server/storage/audit/recorder.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { openServices } from '#server/features/open-services.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import type { Tables } from '#server/storage/tables.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { written } from '#test/support/written.ts';
import { runs } from '#test/support/long-run.ts';

import { benchbook, chained, rowsOf, seal, store } from './forged-log.ts';

const rowsInLog = 40;

/** A data folder with a log of some rows, whose end was noted; it is closed. */
async function loggedFolder(dataDir: string): Promise<void> {
  const services = await openServices({ dataDir });
  const guard = await guardAudit(services);
  for (let number = 0; number < rowsInLog; number += 1)
    await written(services, (tx) =>
      tx
        .insertInto('tags')
        .values({ name: `tag ${number}` })
        .execute(),
    );
  await guard.stop();
  await services.storage[Symbol.asyncDispose]();
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let raw: BetterSqlite3.Database;
let db: Kysely<Tables>;
let rows: AuditRow[];
let triggers: string[];
let last: number;

beforeAll(async () => {
  folder = await temporaryFolder('audit-tampering');
  await loggedFolder(folder.path);
  raw = new BetterSqlite3(join(folder.path, databaseName));
  db = new Kysely({ dialect: new SqliteDialect({ database: raw }) });
  rows = await db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  last = must(rows.at(-1), 'the last row').seq;
  triggers = raw
    .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'`)
    .pluck()
    .all() as string[];
});

afterAll(async () => {
  await db.destroy();
  await folder[Symbol.asyncDispose]();
});

/** Findings after `tamper`, invisible in the schema: the triggers are restored. Everything is rolled back. */
async function foundAfter(tamper: () => void): Promise<(number | null)[]> {
  raw.exec('BEGIN');
  try {
    for (const op of ['insert', 'update', 'delete']) raw.exec(`DROP TRIGGER audit_log_${op}`);
    tamper();
    for (const statement of triggers) raw.exec(statement);
    return (await verifyAudit(db, new Anchors(folder.path))).findings.map((one) => one.seq);
  } finally {
    raw.exec('ROLLBACK');
  }
}

const columns = [
  'at',
  'userid',
  'name',
  'impersonator',
  'action',
  'object',
  'object_id',
  'revision_before',
  'revision_after',
  'address',
  'changes',
  'prev_hash',
  'hash',
] as const;

function insert(row: AuditRow): void {
  const names = Object.keys(row);
  raw
    .prepare(
      `INSERT INTO audit_log (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    )
    .run(row);
}

const seqs = fc.integer({ min: 1, max: rowsInLog });

test('AUDIT-6 an untouched log has no finding', async () => {
  expect(await foundAfter(() => undefined)).toEqual([]);
  expect(rows.length).toBeGreaterThan(rowsInLog);
});

test('AUDIT-6 every edit of every column of every row is detected and named', async () => {
  const value = fc.oneof(fc.integer(), fc.string({ maxLength: 80 }), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(seqs, fc.constantFrom(...columns), value, async (seq, column, to) => {
      const before = must(rows[seq - 1], 'the row')[column];
      let stored: unknown;
      const found = await foundAfter(() => {
        try {
          raw.prepare(`UPDATE audit_log SET ${column} = ? WHERE seq = ?`).run(to, seq);
        } catch {
          // The table rejects such a value.
        }
        stored = raw.prepare(`SELECT ${column} FROM audit_log WHERE seq = ?`).pluck().get(seq);
      });
      if (stored === before) expect(found).toEqual([]);
      else expect(found).toContain(seq);
    }),
    { numRuns: runs(1500) },
  );
});

test('AUDIT-6 every deletion is detected and named', async () => {
  await fc.assert(
    fc.asyncProperty(seqs, async (seq) => {
      const found = await foundAfter(() => void raw.prepare('DELETE FROM audit_log WHERE seq = ?').run(seq));
      expect(found).toContain(seq + 1);
    }),
    { numRuns: runs(200) },
  );
});

test('AUDIT-6 every swap of two rows and every copy of a row is detected', async () => {
  await fc.assert(
    fc.asyncProperty(seqs, seqs, async (one, other) => {
      fc.pre(one !== other);
      const swapped = await foundAfter(() => {
        raw.prepare('UPDATE audit_log SET seq = -1 WHERE seq = ?').run(one);
        raw.prepare('UPDATE audit_log SET seq = ? WHERE seq = ?').run(one, other);
        raw.prepare('UPDATE audit_log SET seq = ? WHERE seq = -1').run(other);
      });
      expect(swapped).toEqual(expect.arrayContaining([one, other]));
      const copied = await foundAfter(() => insert({ ...must(rows[one - 1], 'the row'), seq: last + 1 }));
      expect(copied).toContain(last + 1);
    }),
    { numRuns: runs(200) },
  );
});

/** Replaces a row and computes correct hashes from there on, like an attacker who knows the algorithm. */
function rewriteFrom(seq: number, changed: Partial<AuditRow>, rest: AuditRow[]): void {
  raw.prepare('DELETE FROM audit_log WHERE seq >= ?').run(seq);
  let prev = must(rows[seq - 2], 'the row before').hash;
  for (const [index, row] of rest.entries()) {
    const next = { ...row, ...(index === 0 ? changed : {}), seq: seq + index, prev_hash: prev };
    prev = hashOf(next);
    insert({ ...next, hash: prev });
  }
}

test('AUDIT-7 a log rewritten with correct hashes is detected, whatever was changed, removed or added', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 3, max: rowsInLog }), async (seq) => {
      const from = rows.slice(seq - 1);
      expect(await foundAfter(() => rewriteFrom(seq, { name: 'Nobody' }, from))).toEqual([last]);
      expect(await foundAfter(() => rewriteFrom(seq, {}, from.slice(1)))).toEqual([null]);
      const more = [must(from[0], 'the row'), ...from];
      expect(await foundAfter(() => rewriteFrom(seq, { name: 'Nobody' }, more))).toContain(last);
    }),
    { numRuns: runs(100) },
  );
});

test('AUDIT-7 a truncated log is detected, however much is missing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: rowsInLog }), async (keep) => {
      const found = await foundAfter(() => void raw.prepare('DELETE FROM audit_log WHERE seq > ?').run(keep));
      expect(found).toContain(null);
    }),
    { numRuns: rowsInLog },
  );
});

test('AUDIT-6 missing triggers are detected', async () => {
  raw.exec('BEGIN');
  raw.exec('DROP TRIGGER audit_log_update');
  const { findings } = await verifyAudit(db, new Anchors(folder.path));
  raw.exec('ROLLBACK');
  expect(findings).toEqual([
    { about: 'log', seq: null, message: expect.stringContaining('audit_log_update') },
  ]);
});

test('AUDIT-8 a restored backup does not stop the server; the gap is reported until it is acknowledged', async () => {
  await using own = await temporaryFolder('audit-restored');
  const open = () => openServices({ dataDir: own.path });
  const path = join(own.path, databaseName);
  await loggedFolder(own.path);
  copyFileSync(path, `${path}.backup`);
  {
    const services = await open();
    await using storage = services.storage;
    const guard = await guardAudit(services);
    await written({ storage }, (tx) => tx.insertInto('tags').values({ name: 'after the backup' }).execute());
    await guard.stop();
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  copyFileSync(`${path}.backup`, path);
  const services = await open();
  await using storage = services.storage;
  const before = await verifyAudit(storage.reader, services.anchors);
  expect(before.findings.map((one) => one.message)).toEqual([
    expect.stringContaining('a backup was restored'),
  ]);
  const guard = await guardAudit(services);
  await written({ storage }, (tx) => tx.insertInto('tags').values({ name: 'life goes on' }).execute());
  const after = await verifyAudit(storage.reader, services.anchors);
  expect(after.findings.map((one) => one.message)).toEqual([expect.stringContaining('acknowledge it')]);
  await acknowledgeGap(services, 'The disk failed on Monday');
  expect((await verifyAudit(storage.reader, services.anchors)).findings).toEqual([]);
  const told = await storage.reader
    .selectFrom('audit_log')
    .select(['action', 'changes'])
    .where('action', 'in', [auditActions.gap, auditActions.acknowledge])
    .orderBy('seq')
    .execute();
  expect(told.map((row) => row.action)).toEqual([auditActions.gap, auditActions.acknowledge]);
  expect(told[1]?.changes).toContain('The disk failed on Monday');
  await guard.stop();
});

test('AUDIT-8 a database without its files, and files written by someone else, are reported', async () => {
  await using own = await temporaryFolder('audit-files');
  await loggedFolder(own.path);
  const read = async (): Promise<string[]> => {
    const services = await openServices({ dataDir: own.path });
    await using storage = services.storage;
    return (await verifyAudit(storage.reader, services.anchors)).findings.map((one) => one.message);
  };
  expect(await read()).toEqual([]);
  rmSync(join(own.path, anchorFiles.anchors));
  expect(await read()).toEqual([expect.stringContaining('file of anchors is empty or missing')]);
  const other = new Anchors(own.path);
  rmSync(join(own.path, anchorFiles.key));
  expect(await read()).toEqual([expect.stringContaining('key of the audit log is not in the data folder')]);
  other.makeKey();
  await other.add('head', { seq: 1, hash: 'f'.repeat(64) }, 0);
  expect(await read()).toEqual(
    expect.arrayContaining([expect.stringContaining('is not the one that the log names')]),
  );
});

test('AUDIT-17 rows removed or replaced while the server runs are reported within seconds, whatever the notes say', async () => {
  for (const change of [
    (list: AuditRow[]) => list.slice(0, -3),
    (list: AuditRow[]) => list.map((row) => (row.seq === 5 ? { ...row, name: 'Nobody' } : row)),
    // As many rows as before.
    (list: AuditRow[]) => [...list.slice(0, -2), must(list[1], 'a row'), must(list[2], 'a row')],
  ]) {
    await using own = await temporaryFolder('running');
    const lines: string[] = [];
    await using server = await startServer({ dataDir: own.path, log: memoryLog(lines) });
    const ana = await server.person('Ana');
    for (let time = 0; time < 5; time += 1)
      await ana.call('PATCH', `/users/${ana.userid}`, { location: `${time}` });
    await server.guard.look();
    const raw = new BetterSqlite3(join(own.path, databaseName));
    const list = chained(change(rowsOf(own.path)));
    raw.exec('BEGIN IMMEDIATE');
    store(raw, list);
    raw.exec('COMMIT');
    raw.close();
    await seal(own.path, list);
    await server.guard.look();
    expect(lines.some((line) => line.includes('does not go on from where it had ended'))).toBe(true);
    expect(await benchbook(own.path, 'verify')).toMatchObject({
      code: 1,
      out: expect.stringContaining('acknowledge it'),
    });
    const before = lines.length;
    await server.guard.look();
    expect(lines.slice(before).filter((line) => line.includes('does not go on'))).toEqual([]);
  }
});
