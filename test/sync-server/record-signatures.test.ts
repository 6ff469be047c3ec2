import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { RecordMeaning } from '#shared/model/record-signature.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { verifyRecordSignatures } from '#server/features/work-log/verify-signatures.ts';
import type { Tx } from '#server/storage/tables.ts';
import { ok, password } from '#test/support/approvals.ts';
import { runCommand } from '#test/support/command-line.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { clientOf, type TestPerson } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

import { openShop, type Shop } from './second-person/world.ts';

// All tests share one server, because starting it takes longer than most of them. Cy leads Ana's team.
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => shop[Symbol.asyncDispose]());

interface Ended {
  entryid: number;
  sha256: string;
  sign: (
    by: Pick<TestPerson, 'call'>,
    meaning: RecordMeaning,
    more?: object,
  ) => ReturnType<TestPerson['call']>;
  read: () => Promise<WorkRecordFile>;
}

/** An order of Ana's that she finished. */
async function ended(): Promise<Ended> {
  const { ana } = shop;
  const { entryid, record } = await shop.order();
  await record({ torque: '12', second: 'Ben' });
  await ok(ana.call('POST', `/work_log/${entryid}/finish`, {}));
  const read = () => ok<WorkRecordFile>(ana.call('GET', `/work_log/${entryid}/record`));
  return {
    entryid,
    sha256: (await read()).sha256 ?? '',
    read,
    sign: (by, meaning, more = {}) =>
      by.call('POST', `/work_log/${entryid}/sign`, { meaning, current_password: password, ...more }),
  };
}

test('WORK-RECORD-4 who finished an order signs that they performed it; leads and administrators review and release it', async () => {
  const { ana, ben, cy, mira, kiosk, server } = shop;
  const { sign, read } = await ended();
  expect((await sign(ben, 'performed')).status).toBe(404);
  expect((await sign(ana, 'reviewed')).status).toBe(403);
  expect((await sign(cy, 'performed')).status).toBe(403);
  expect((await sign(ana, 'performed', { comment: ' As planned ' })).status).toBe(200);
  expect((await sign(cy, 'reviewed')).status).toBe(200);
  expect((await sign(mira, 'released')).status).toBe(200);
  expect((await sign(cy, 'reviewed')).status).toBe(409);
  expect((await read()).signatures).toMatchObject([
    { userid: ana.userid, name: 'Ana', meaning: 'performed', comment: 'As planned', applies: true },
    { userid: cy.userid, name: 'Cy', meaning: 'reviewed', method: 'password' },
    { userid: mira.userid, name: 'Mira', meaning: 'released' },
  ]);
  // A lead who did the work does not release it.
  const own = await shop.order(undefined, cy);
  await ok(cy.call('POST', `/work_log/${own.entryid}/finish`, {}));
  const signOwn = (by: Pick<TestPerson, 'call'>, meaning: RecordMeaning) =>
    by.call('POST', `/work_log/${own.entryid}/sign`, { meaning, current_password: password });
  expect((await signOwn(cy, 'released')).status).toBe(403);
  expect((await signOwn(cy, 'performed')).status).toBe(200);
  // Neither a kiosk nor somebody who acts as another person.
  const shared = await shop.order(undefined, kiosk);
  await ok(kiosk.call('POST', `/work_log/${shared.entryid}/finish`, {}));
  const path = `/work_log/${shared.entryid}/sign`;
  expect((await kiosk.call('POST', path, { meaning: 'performed', current_password: password })).status).toBe(
    403,
  );
  const acting = await ok<{ authToken: string }>(
    mira.call('POST', '/user/token/impersonate', { userid: ana.userid }),
  );
  const asAna = { call: clientOf(server.url, acting.authToken) };
  expect((await (await ended()).sign(asAna, 'performed')).status).toBe(403);
});

test('WORK-RECORD-5 a signature needs a proof, is for what the person saw, and is never changed or deleted', async () => {
  const { ana, mira, server } = shop;
  const { entryid, sha256, sign, read } = await ended();
  expect((await sign(ana, 'performed', { current_password: undefined })).body).toMatchObject({
    errors: [{ field: 'current_password' }],
  });
  expect((await sign(ana, 'performed', { current_password: 'a guess' })).status).toBe(422);
  const stale = await sign(ana, 'performed', { record_sha256: '0'.repeat(64) });
  expect([stale.status, stale.body]).toMatchObject([409, { sha256 }]);
  const key = { 'Idempotency-Key': '0190c0de-0000-7000-8000-000000000078' };
  const path = `/work_log/${entryid}/sign`;
  const body = { meaning: 'performed', record_sha256: sha256 };
  const signed = await ana.call('POST', path, { ...body, current_password: password }, key);
  expect([signed.status, signed.body]).toMatchObject([200, { signatures: [{ sha256 }] }]);
  const again = await ana.call('POST', path, { ...body, current_password: 'a guess' }, key);
  expect([again.status, again.body]).toEqual([200, signed.body]);
  expect((await read()).signatures).toHaveLength(1);
  expect((await ana.call('DELETE', `/work_log/${entryid}`)).status).toBe(403);
  expect((await mira.call('DELETE', `/work_log/${entryid}`)).status).toBe(403);
  for (const statement of ["SET name = 'Eve'", 'SET date = 0'])
    await expect(
      written(server.services, (tx) => run(tx, `UPDATE record_signatures ${statement}`)),
    ).rejects.toThrow('never changed');
  await expect(written(server.services, (tx) => run(tx, 'DELETE FROM record_signatures'))).rejects.toThrow(
    'never deleted',
  );
  const [row] = await listAudit(
    server.services.storage.reader,
    { action: 'POST /work_log/{entryid}/sign', outcome: 'done' },
    { limit: 1, offset: 0 },
  );
  expect(row).toMatchObject({ userid: ana.userid, object: 'workRecord', objectid: String(entryid) });
  expect(row?.changes).toContainEqual(
    expect.objectContaining({
      table: 'record_signatures',
      new: expect.objectContaining({ name: 'Ana', meaning: 'performed', sha256 }) as unknown,
    }),
  );
});

test('WORK-RECORD-5 an open order and one without a hash are not signed', async () => {
  const { ana, server } = shop;
  const { entryid } = await shop.order();
  const sign = () =>
    ana.call('POST', `/work_log/${entryid}/sign`, { meaning: 'performed', current_password: password });
  expect((await sign()).body).toMatchObject({ message: 'This order is still open' });
  await ok(ana.call('POST', `/work_log/${entryid}/cancel`, {}));
  await written(server.services, async (tx) => {
    const stored = await tx
      .selectFrom('documents')
      .select('body')
      .where('collection', '=', 'workLog')
      .where('id', '=', String(entryid))
      .executeTakeFirstOrThrow();
    const { record: _record, ...rest } = JSON.parse(stored.body) as Record<string, unknown>;
    await tx
      .updateTable('documents')
      .set({ seq: sql<number>`seq + 1000000`, body: JSON.stringify(rest) })
      .where('collection', '=', 'workLog')
      .where('id', '=', String(entryid))
      .execute();
  });
  expect((await sign()).body).toMatchObject({ message: expect.stringContaining('ended before hashes') });
});

test('WORK-RECORD-6 a signature says that it no longer applies when the record was changed, and such a record is not signed', async () => {
  const { ana, cy, server } = shop;
  const { entryid, sign, read } = await ended();
  await ok(sign(ana, 'performed'));
  await written(server.services, (tx) =>
    run(
      tx,
      `UPDATE documents SET ${uncached}, body = replace(body, '"value":"12"', '"value":"13"') WHERE ${ofEntry(entryid)}`,
    ),
  );
  expect((await read()).signatures).toMatchObject([{ name: 'Ana', applies: false }]);
  expect((await sign(cy, 'released')).status).toBe(409);
});

test('WORK-RECORD-7 CLI-13 signatures that were changed by bypassing the server are found', async () => {
  await using own = await openShop();
  const { ana, cy, server } = own;
  const { entryid } = await own.order();
  await ok(ana.call('POST', `/work_log/${entryid}/finish`, {}));
  const sign = (by: TestPerson, meaning: RecordMeaning) =>
    ok(by.call('POST', `/work_log/${entryid}/sign`, { meaning, current_password: password }));
  await sign(ana, 'performed');
  await sign(cy, 'released');
  expect(await runCommand(['approvals', 'verify', '--data', server.dataDir])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Each of 2 signatures fits') as string,
  });
  await using raw = await openRaw(server.dataDir);
  const foundAfter = (statement: string): Promise<string[]> =>
    raw.rolledBack(async () => {
      await raw.past(() => raw.run(statement));
      const { broken } = await verifyRecordSignatures(raw.db);
      return broken.map(({ name, reason }) => `${name}: ${reason}`);
    });
  expect(await foundAfter("UPDATE record_signatures SET name = 'Eve' WHERE name = 'Cy'")).toEqual([
    'Eve: the audit log tells another name',
    'Eve: what people see is another signature',
  ]);
  expect(await foundAfter("DELETE FROM record_signatures WHERE name = 'Cy'")).toEqual([
    'Cy: the audit log tells of it, and it is gone',
  ]);
  const copy = `INSERT INTO record_signatures (entryid, userid, name, meaning, comment, method, sha256, date)
    SELECT entryid, ${own.ben.userid}, 'Ben', meaning, comment, method, sha256, date FROM record_signatures
    WHERE name = 'Cy'`;
  expect(await foundAfter(copy)).toContain('Ben: the audit log has no entry about it');
  const document = `WHERE ${ofEntry(entryid)}`;
  expect(await foundAfter(`UPDATE documents SET body = replace(body, 'WO-7', 'WO-8') ${document}`)).toEqual([
    'Ana: the record is not what was signed',
    'Cy: the record is not what was signed',
  ]);
  const forged = `UPDATE documents SET body = replace(body, '"meaning":"released"', '"meaning":"reviewed"') ${document}`;
  expect(await foundAfter(forged)).toEqual(['Cy: what people see is another signature']);
});

/** The server reads a document again when its seq is another one. */
const uncached = 'seq = seq + 1000000';

async function run(tx: Tx, statement: string): Promise<void> {
  await sql.raw(statement).execute(tx);
}

function ofEntry(entryid: number): string {
  return `collection = 'workLog' AND id = '${entryid}'`;
}
