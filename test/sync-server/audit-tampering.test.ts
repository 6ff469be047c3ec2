import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { auditActions } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { acknowledgeGap, guardAudit } from '#server/features/audit/guard.ts';
import { hashOf, type AuditRow } from '#server/storage/audit/recorder.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { openRaw, type RawDatabase } from '#test/support/raw-database.ts';
import { onPostgres } from '#test/support/postgres-databases.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { written } from '#test/support/written.ts';
import { runs } from '#test/support/long-run.ts';
import { openTestServices } from '#test/support/test-services.ts';

import { benchbook, chained, rowsOf, seal, store } from './forged-log.ts';

const rowsInLog = 40;

/** A data folder with a log of some rows, whose end was noted; it is closed. */
async function loggedFolder(dataDir: string): Promise<void> {
  const services = await openTestServices({ dataDir });
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
let raw: RawDatabase;
let rows: AuditRow[];
let last: number;

beforeAll(async () => {
  folder = await temporaryFolder('audit-tampering');
  await loggedFolder(folder.path);
  raw = await openRaw(folder.path);
  rows = await raw.db.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  last = must(rows.at(-1), 'the last row').seq;
});

afterAll(async () => {
  await raw[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Findings after `tamper`, invisible in the schema: the triggers are restored. Everything is rolled back. */
function foundAfter(tamper: () => Promise<unknown>): Promise<(number | null)[]> {
  return raw.rolledBack(async () => {
    await raw.past(tamper);
    return (await verifyAudit(raw.db, new Anchors(folder.path))).findings.map((one) => one.seq);
  });
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

const insert = (row: AuditRow): Promise<unknown> => raw.db.insertInto('audit_log').values(row).execute();

const removed = (from: number, until: number): Promise<unknown> =>
  raw.db.deleteFrom('audit_log').where('seq', '>=', from).where('seq', '<=', until).execute();

/** Changes a column of a row, if the table takes the value; returns what it then has. */
async function setColumn(seq: number, column: (typeof columns)[number], to: unknown): Promise<unknown> {
  await raw.run('SAVEPOINT one');
  try {
    await sql`UPDATE audit_log SET ${sql.ref(column)} = ${to} WHERE seq = ${seq}`.execute(raw.db);
  } catch {
    await raw.run('ROLLBACK TO SAVEPOINT one');
  }
  const [row] = await raw.run(`SELECT ${column} FROM audit_log WHERE seq = ${seq}`);
  return row?.[column];
}

const seqs = fc.integer({ min: 1, max: rowsInLog });

test('AUDIT-6 an untouched log has no finding', async () => {
  expect(await foundAfter(async () => undefined)).toEqual([]);
  expect(rows.length).toBeGreaterThan(rowsInLog);
});

test('AUDIT-6 every edit of every column of every row is detected and named', async () => {
  const value = fc.oneof(fc.integer(), fc.string({ maxLength: 80 }), fc.constant(null));
  await fc.assert(
    fc.asyncProperty(seqs, fc.constantFrom(...columns), value, async (seq, column, to) => {
      const before = must(rows[seq - 1], 'the row')[column];
      let stored: unknown;
      const found = await foundAfter(async () => {
        stored = await setColumn(seq, column, to);
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
      const found = await foundAfter(() => removed(seq, seq));
      expect(found).toContain(seq + 1);
    }),
    { numRuns: runs(200) },
  );
});

test('AUDIT-6 every swap of two rows and every copy of a row is detected', async () => {
  await fc.assert(
    fc.asyncProperty(seqs, seqs, async (one, other) => {
      fc.pre(one !== other);
      const swapped = await foundAfter(async () => {
        await raw.run(`UPDATE audit_log SET seq = -1 WHERE seq = ${one}`);
        await raw.run(`UPDATE audit_log SET seq = ${one} WHERE seq = ${other}`);
        await raw.run(`UPDATE audit_log SET seq = ${other} WHERE seq = -1`);
      });
      expect(swapped).toEqual(expect.arrayContaining([one, other]));
      const copied = await foundAfter(() => insert({ ...must(rows[one - 1], 'the row'), seq: last + 1 }));
      expect(copied).toContain(last + 1);
    }),
    { numRuns: runs(200) },
  );
});

/** Replaces a row and computes correct hashes from there on, like an attacker who knows the algorithm. */
async function rewriteFrom(seq: number, changed: Partial<AuditRow>, rest: AuditRow[]): Promise<void> {
  await removed(seq, Number.MAX_SAFE_INTEGER);
  let prev = must(rows[seq - 2], 'the row before').hash;
  for (const [index, row] of rest.entries()) {
    const next = { ...row, ...(index === 0 ? changed : {}), seq: seq + index, prev_hash: prev };
    prev = hashOf(next);
    await insert({ ...next, hash: prev });
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
      const found = await foundAfter(() => removed(keep + 1, Number.MAX_SAFE_INTEGER));
      expect(found).toContain(null);
    }),
    { numRuns: rowsInLog },
  );
});

test('AUDIT-6 missing triggers are detected', async () => {
  const name = onPostgres() ? 'audit_log_stays' : 'audit_log_update';
  const { findings } = await raw.rolledBack(async () => {
    await raw.run(`DROP TRIGGER ${name}${onPostgres() ? ' ON audit_log' : ''}`);
    return verifyAudit(raw.db, new Anchors(folder.path));
  });
  expect(findings).toEqual([{ about: 'log', seq: null, message: expect.stringContaining(name) }]);
});

onlySqlite('backup')(
  'AUDIT-8 a restored backup does not stop the server; the gap is reported until it is acknowledged',
  async () => {
    await using own = await temporaryFolder('audit-restored');
    const open = () => openTestServices({ dataDir: own.path });
    const path = join(own.path, databaseName);
    await loggedFolder(own.path);
    copyFileSync(path, `${path}.backup`);
    {
      const services = await open();
      await using storage = services.storage;
      const guard = await guardAudit(services);
      await written({ storage }, (tx) =>
        tx.insertInto('tags').values({ name: 'after the backup' }).execute(),
      );
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
  },
);

test('AUDIT-8 a database without its files, and files written by someone else, are reported', async () => {
  await using own = await temporaryFolder('audit-files');
  await loggedFolder(own.path);
  const read = async (): Promise<string[]> => {
    const services = await openTestServices({ dataDir: own.path });
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
    const list = chained(change(await rowsOf(own.path)));
    await store(own.path, list);
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
