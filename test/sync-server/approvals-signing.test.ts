import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { contextForJob } from '#server/core/job.ts';
import { verifySignatures } from '#server/features/approvals/verify.ts';
import { revisionHash } from '#server/features/approvals/revision-hash.ts';
import { issueSignOn, signOnTokenSeconds } from '#server/features/sign-on/tokens.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { ok, openShop, password, type Shop } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';
import { hearWebhooks } from '#test/support/hear-webhooks.ts';

let shop: Shop;
/** The clock stands still unless a test advances it, because waits after failures last seconds. */
const began = Date.now();
let clock = 0;
beforeAll(async () => (shop = await openShop({ now: () => began + clock * 1000 })));
afterAll(async () => shop[Symbol.asyncDispose]());

async function asked(fields: object = {}): Promise<{ guide: Guide; request: ApprovalRequest; id: number }> {
  const guide = await shop.guide({ public: true, ...fields });
  const request = await shop.request(guide.guideid);
  return { guide, request, id: request.approval_requestid };
}

const signatures = async (guideid: number) =>
  (await shop.request(guideid)).stages.flatMap((stage) => stage.signatures);

test('APPROVAL-7 a wrong password signs nothing and keeps the session; ten of them start a waiting time', async () => {
  const { guide, id } = await asked();
  const { reader } = shop.server.services.storage;
  const { seq: before } = await headOf(reader);
  const tries = [];
  for (let index = 0; index < 12; index += 1)
    tries.push(await shop.sign(shop.tom, id, 'review', { password: `wrong ${index}` }));
  expect(tries[0]).toMatchObject({ status: 422, body: { errors: [{ field: 'password' }] } });
  expect(tries.map(({ status }) => status)).toContain(429);
  expect((await shop.sign(shop.tom, id, 'review')).status).toBe(429);
  expect((await shop.tom.call('GET', '/user')).status).toBe(200);
  const refused = await reader
    .selectFrom('audit_log')
    .select(['userid', 'action'])
    .where('outcome', '=', 'refused')
    .where('seq', '>', before)
    .execute();
  expect(refused).toHaveLength(10);
  expect(refused[0]).toEqual({
    userid: shop.tom.userid,
    action: 'POST /approvals/request/sign/{approval_requestid}',
  });
  expect(await signatures(guide.guideid)).toEqual([]);
  expect((await shop.sign(shop.tia, id, 'review')).status).toBe(200);
  clock += 16 * 60;
  expect((await shop.sign(shop.tom, id, 'review')).status).toBe(200);
});

test('APPROVAL-7 concurrent wrong passwords are counted one by one', async () => {
  const { id } = await asked();
  clock += 16 * 60;
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => shop.sign(shop.tom, id, 'review', { password: 'wrong' })),
  );
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  clock += 16 * 60;
});

test('APPROVAL-7 a repeated call signs once; neither the password nor a hash of it is stored', async () => {
  const { guide, id } = await asked();
  const key = { 'Idempotency-Key': 'sign-once-0001' };
  const body = { decision: 'review', password };
  const path = `/approvals/request/sign/${id}`;
  const first = await shop.tom.call('POST', path, body, key);
  const again = await shop.tom.call('POST', path, body, key);
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true']);
  expect(await signatures(guide.guideid)).toHaveLength(1);
  const wrong = await shop.tom.call('POST', path, { ...body, password: 'other' }, key);
  expect(wrong.headers.get('idempotency-replayed')).toBe('true');
  const [kept] = await shop.server.services.storage.reader
    .selectFrom('idempotency')
    .select('request_hash')
    .where('key', '=', 'sign-once-0001')
    .execute();
  const { createHash } = await import('node:crypto');
  const guessed = createHash('sha256')
    .update(`POST\0/api/2.0${path}\0`)
    .update(JSON.stringify(body))
    .digest('hex');
  expect(kept?.request_hash).not.toBe(guessed);
});

async function signOn(person: TestPerson): Promise<string> {
  const { services } = shop.server;
  const { token } = await contextForJob(services, null, (ctx) =>
    issueSignOn(ctx, person.userid, ctx.seconds),
  );
  return token;
}

test('LIVE-9 signing by single sign-on on a site without one says so', async () => {
  const { id } = await asked();
  const path = `/approvals/request/sign/${id}/token`;
  expect(await shop.tom.call('POST', path, { decision: 'review', token: 'bbs_unknown' })).toMatchObject({
    status: 422,
    body: {
      message: 'No identity provider is set up on this site; sign with the password',
      errors: [{ field: 'token' }],
    },
  });
});

test('APPROVAL-7 a single sign-on token signs once, for its own person and before it expires', async () => {
  const { guide, id } = await asked();
  const sign = (person: TestPerson, token: string, decision = 'review') =>
    person.call('POST', `/approvals/request/sign/${id}/token`, { decision, token });
  const token = await signOn(shop.tom);
  expect(await sign(shop.tia, token)).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } });
  expect((await sign(shop.tom, token, 'approve')).status).toBe(422);
  expect((await sign(shop.tom, token)).status).toBe(200);
  expect(await signatures(guide.guideid)).toMatchObject([{ name: 'Tom', method: 'token' }]);
  const late = await signOn(shop.tia);
  clock += signOnTokenSeconds + 1;
  expect((await sign(shop.tia, late)).status).toBe(422);
  expect((await sign(shop.tia, token)).status).toBe(422);
  const again = await signOn(shop.tom);
  expect((await sign(shop.tom, again)).status).toBe(409);
  expect((await sign(shop.ana, await signOn(shop.ana))).status).toBe(403);
  expect((await sign(shop.lea, await signOn(shop.lea))).status).toBe(404);
  expect((await sign(shop.tia, await signOn(shop.tia))).status).toBe(200);
});

/** A version with neither pinned prerequisites nor forms. */
const alone = { pinned: [], forms: [] };

test("APPROVAL-8 a signature stores the signer's name at that time and a hash of the version that anyone can compute", async () => {
  const { guide, request, id } = await asked();
  expect(await shop.sign(shop.tom, id, 'review', { revision_hash: 'f'.repeat(64) })).toMatchObject({
    status: 409,
    body: { approval_requestid: id },
  });
  const { revision_hash } = request;
  await ok(shop.sign(shop.tom, id, 'review', { revision_hash }));
  const { reader } = shop.server.services.storage;
  expect(revision_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await revisionHash(reader, guide, alone)).toBe(revision_hash);
  await ok(shop.mira.call('PATCH', `/users/${shop.tom.userid}`, { username: 'Thomas' }));
  expect(await signatures(guide.guideid)).toMatchObject([{ userid: shop.tom.userid, name: 'Tom' }]);
  await ok(shop.mira.call('PATCH', `/users/${shop.tom.userid}`, { username: 'Tom' }));
});

test('APPROVAL-8 signatures and the content of a request cannot be changed or deleted', async () => {
  const { id } = await asked();
  await ok(shop.sign(shop.tom, id, 'review'));
  const { writer } = shop.server.services.storage;
  for (const statement of [
    `UPDATE approval_signatures SET name = 'Eve' WHERE approval_requestid = ${id}`,
    `DELETE FROM approval_signatures WHERE approval_requestid = ${id}`,
    `UPDATE approval_requests SET revision_hash = 'x' WHERE approval_requestid = ${id}`,
    `UPDATE approval_requests SET stages = '[]' WHERE approval_requestid = ${id}`,
  ])
    await expect(sql.raw(statement).execute(writer), statement).rejects.toThrow(/never/);
});

test('APPROVAL-8 CLI-13 any changed byte in the signed version is detected, and such a version cannot be signed', async () => {
  const { guide, id } = await asked({ title: 'Tampered', prerequisites: [] });
  await ok(shop.sign(shop.tom, id, 'review'));
  const { reader } = shop.server.services.storage;
  const version = { guideid: guide.guideid, guide_revisionid: guide.guide_revisionid };
  const { body } = await reader
    .selectFrom('guide_revisions')
    .select('body')
    .where('guide_revisionid', '=', guide.guide_revisionid)
    .executeTakeFirstOrThrow();
  const store = (text: string) => rewrite(guide.guide_revisionid, text);
  const hash = await revisionHash(reader, version, alone);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const code = ((body.charCodeAt(at) + by) % 0x5f) + 0x20;
      const text = body.slice(0, at) + String.fromCodePoint(code) + body.slice(at + 1);
      if (text === body || !isJson(text) || JSON.stringify(JSON.parse(text)) === body) return;
      await store(text);
      expect(await revisionHash(reader, version, alone)).not.toBe(hash);
    }),
    { numRuns: 200 },
  );
  await store(body.replace('"Tampered"', '"Tampered!"'));
  expect((await shop.sign(shop.tia, id, 'review')).status).toBe(409);
  const { broken } = await verifySignatures(reader);
  expect(broken).toMatchObject([{ approval_requestid: id, name: 'Tom', guideid: guide.guideid }]);
  const ran = await verifyCli();
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('Tom')]);
  await store(body);
  expect((await verifyCli()).code).toBe(0);
  expect((await shop.sign(shop.tia, id, 'review')).status).toBe(200);
});

/** Changes a stored version by bypassing the server. */
async function rewrite(guide_revisionid: number, body: string): Promise<void> {
  await using raw = await openRaw(shop.server.dataDir);
  await raw.past(async () => {
    await raw.db
      .updateTable('guide_revisions')
      .set({ body })
      .where('guide_revisionid', '=', guide_revisionid)
      .execute();
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const verifyCli = (): Promise<Ran> => runCommand(['approvals', 'verify', '--data', shop.server.dataDir]);

test('APPROVAL-8 the released text of a pinned prerequisite is part of what is signed', async () => {
  const { ana } = shop;
  const first = await shop.guide({ category: 'Workshop', title: 'Lockout', public: true });
  const releases = `/guides/${first.guideid}/releases?revisionid=${first.revisionid}`;
  const { releaseid } = await ok<{ releaseid: number }>(ana.call('POST', releases, {}));
  const { request } = await asked({
    prerequisites: [first.guideid],
    prerequisite_releases: [{ guideid: first.guideid, releaseid: null }],
  });
  const pinned = { ...alone, pinned: [{ guideid: first.guideid, releaseid, forms: [] }] };
  const { reader } = shop.server.services.storage;
  expect(await revisionHash(reader, request, pinned)).toBe(request.revision_hash);
  expect(await revisionHash(reader, request, alone)).not.toBe(request.revision_hash);
  const { body } = await reader
    .selectFrom('guide_revisions')
    .select('body')
    .where('guide_revisionid', '=', first.guide_revisionid)
    .executeTakeFirstOrThrow();
  await rewrite(first.guide_revisionid, body.replaceAll('Lockout', 'Lookout'));
  expect(await revisionHash(reader, request, pinned)).not.toBe(request.revision_hash);
});

test('APPROVAL-13 webhooks report each step of a request, with the signer and the meaning', async () => {
  const events = ['requested', 'signed', 'rejected', 'voided', 'completed'].map((one) => `approval.${one}`);
  const hook = await hearWebhooks(shop.server, shop.mira, [...events, 'guide.published']);
  const { id, guide } = await asked({ title: 'Told' });
  await shop.signAll(id);
  const other = await asked();
  await ok(shop.sign(shop.tom, other.id, 'reject', { comment: 'No' }));
  const third = await asked();
  await ok(
    shop.ana.call('PATCH', `/guides/${third.guide.guideid}?revisionid=${third.guide.revisionid}`, {
      summary: 'New',
    }),
  );
  const told = await hook.told();
  expect(told.map(({ event }) => event)).toEqual([
    'approval.requested',
    'approval.signed',
    'approval.signed',
    'approval.signed',
    'approval.completed',
    'guide.published',
    'approval.requested',
    'approval.signed',
    'approval.rejected',
    'approval.requested',
    'approval.voided',
  ]);
  const [, signed] = told.map(({ data }) => data);
  expect(signed).toMatchObject({
    approval_requestid: id,
    guideid: guide.guideid,
    title: 'Told',
    userid: shop.ana.userid,
    signature: { userid: shop.tom.userid, name: 'Tom', meaning: 'reviewed' },
  });
  await hook.end();
});
