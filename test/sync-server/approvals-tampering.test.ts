import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';
import { verifySignatures } from '#server/features/approvals/verify.ts';
import { runCommand } from '#test/support/command-line.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import { openRaw, type RawDatabase } from '#test/support/raw-database.ts';

let shop: Shop;
let raw: RawDatabase;
let guideid: number;
let id: number;

beforeAll(async () => {
  shop = await openShop();
  ({ guideid } = await shop.guide({ public: true }));
  id = (await shop.request(guideid)).approval_requestid;
  await shop.signAll(id);
  raw = await openRaw(shop.server.dataDir);
});
afterAll(async () => {
  await raw[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

/** Findings after `statements` bypassed the triggers, which are restored. Everything is rolled back. */
async function foundAfter(...statements: string[]): Promise<{ name: string | null; reason: string }[]> {
  return raw.rolledBack(async () => {
    await raw.past(async () => {
      for (const statement of statements) await raw.run(statement);
    });
    return (await verifySignatures(raw.db)).broken.map(({ name, reason }) => ({ name, reason }));
  });
}

const ofTom = `WHERE approval_requestid = (SELECT max(approval_requestid) FROM approval_requests) AND name = 'Tom'`;

test('APPROVAL-16 CLI-13 untouched signatures match the audit log', async () => {
  expect(await foundAfter()).toEqual([]);
  expect(await runCommand(['approvals', 'verify', '--data', shop.server.dataDir])).toEqual({
    code: 0,
    out: expect.stringContaining('Each of 3 signatures fits'),
    err: '',
  });
});

test.each([
  ['name', `'Eve'`],
  ['userid', "(SELECT userid FROM approval_signatures WHERE name = 'Quinn')"],
  ['meaning', `'approved'`],
  ['date', 'date - 86400'],
  ['comment', `'forged'`],
  ['method', `'token'`],
  ['approval_stageid', 'approval_stageid + 1'],
  ['revision_hash', `'${'f'.repeat(64)}'`],
])(
  'APPROVAL-16 a signature whose %s was changed by bypassing the triggers is detected',
  async (column, value) => {
    const found = await foundAfter(`UPDATE approval_signatures SET ${column} = ${value} ${ofTom}`);
    const name = column === 'name' ? 'Eve' : 'Tom';
    expect(found).toContainEqual({ name, reason: `the audit log tells another ${column}` });
  },
);

test('APPROVAL-16 a removed signature is detected, and so is the approval that lacks it', async () => {
  expect(await foundAfter(`DELETE FROM approval_signatures ${ofTom}`)).toEqual([
    { name: null, reason: 'it is approved without the signatures that its stages ask for' },
    { name: 'Tom', reason: 'the audit log tells of it, and it is gone' },
  ]);
});

test('APPROVAL-16 an inserted signature is detected', async () => {
  const columns = 'approval_requestid, approval_stageid, meaning, comment, method, revision_hash, date';
  const copy = `INSERT INTO approval_signatures (name, userid, ${columns})
    SELECT 'Eve', ${shop.lea.userid}, ${columns} FROM approval_signatures ${ofTom}`;
  expect(await foundAfter(copy)).toEqual([{ name: 'Eve', reason: 'the audit log has no entry about it' }]);
});

test.each([
  ['status', `'rejected'`],
  ['stages', `'[]'`],
  ['userid', `${1}`],
  ['published_guide_revisionid', 'guide_revisionid'],
  ['init_date', 'init_date - 1'],
])(
  'APPROVAL-16 a request whose %s was changed by bypassing the triggers is detected',
  async (column, value) => {
    const found = await foundAfter(
      `UPDATE approval_requests SET ${column} = ${value} WHERE approval_requestid = ${id}`,
    );
    expect(found).toContainEqual({ name: null, reason: `the audit log tells another ${column}` });
  },
);

test('APPROVAL-16 a request that was removed with its signatures is detected', async () => {
  const found = await foundAfter(
    `DELETE FROM approval_signatures WHERE approval_requestid = ${id}`,
    `DELETE FROM approval_requests WHERE approval_requestid = ${id}`,
  );
  expect(found.map(({ name }) => name)).toEqual([null, 'Tom', 'Tia', 'Quinn']);
});

// The tests depend on each other: the second edits the guide of the first.
describe('the published version', { shuffle: false }, () => {
  test('APPROVAL-17 a published version that differs from the signed one is detected', async () => {
    const published = must((await shop.request(guideid)).published_guide_revisionid, 'the published version');
    const tampered = `body = replace(body, 'Open the valve.', 'Shut the valve.')`;
    const now = `UPDATE documents SET ${tampered} WHERE collection = 'guides' AND id = '${guideid}'`;
    const version = `UPDATE guide_revisions SET ${tampered} WHERE guide_revisionid = ${published}`;
    const unsigned = { name: null, reason: 'the version that was published is not what was signed' };
    expect(await foundAfter(now)).toEqual([
      { name: null, reason: 'what readers see is not what was signed' },
    ]);
    expect(await foundAfter(version)).toEqual([unsigned]);
    expect(await foundAfter(now, version)).toEqual([unsigned]);
    expect(await foundAfter(`DELETE FROM guide_revisions WHERE guide_revisionid = ${published}`)).toEqual([
      { name: null, reason: 'the version that was published is gone' },
    ]);
  });

  test('APPROVAL-17 changes that make no new version fit the signature, and so does a later version', async () => {
    const category = await ok<Wiki>(shop.mira.call('GET', '/wikis/CATEGORY/Hydraulic%20Press'));
    const renamed = `/wikis/CATEGORY/Hydraulic%20Press?revisionid=${category.revisionid}`;
    await ok(shop.mira.call('PATCH', renamed, { title: 'Oil Press' }));
    expect(await foundAfter()).toEqual([]);
    const { revisionid } = await ok<Guide>(shop.ana.call('GET', `/guides/${guideid}`));
    const edit = { summary: 'Another seal' };
    await ok(shop.ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, edit));
    expect(await foundAfter()).toEqual([]);
  });
});
