import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { listAudit } from '#server/features/audit/list.ts';
import { must } from '#shared/must.ts';
import { runCli } from '#server/cli/program.ts';
import { password } from '#test/support/approvals.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { storedIn } from '#test/support/raw-database.ts';

import { openShop, secondIn } from './second-person/world.ts';

const start = Date.parse('2026-05-04T08:00:00Z');

function signIn(url: string, secret: string): Promise<Response> {
  return fetch(`${url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ben@example.com', password: secret }),
  });
}

test('COSIGN-6 guesses at a colleague’s password count as failed sign-ins of that account, and the other way round', async () => {
  let now = start;
  await using shop = await openShop({ now: () => now });
  const { ana, ben, server } = shop;
  const order = await shop.order();
  const guess = () => order.confirmHere(ana, ben, { password: 'a guess' });
  for (let count = 0; count < 6; count += 1) expect((await guess()).status).toBe(422);
  for (let count = 0; count < 4; count += 1) expect((await signIn(server.url, 'a guess')).status).toBe(401);
  const late = await order.confirmHere(ana, ben);
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  expect((await signIn(server.url, password)).status).toBe(429);
  const rows = await listAudit(
    server.services.storage.reader,
    { outcome: 'refused' },
    { limit: 50, offset: 0 },
  );
  const counted = rows.filter(({ action }) => action === 'POST /work_log/{entryid}/confirm/{userid}');
  expect(counted).toHaveLength(6);
  expect(counted[0]).toMatchObject({ userid: ana.userid, object: 'user', objectid: String(ben.userid) });
  now += 3_600_000;
  expect((await order.confirmHere(ana, ben)).status).toBe(200);
});

test('COSIGN-6 guesses at many accounts end the session that sends them; unknown and closed accounts look the same', async () => {
  await using shop = await openShop({ now: () => start });
  const { ana, mira, server } = shop;
  const order = await shop.order();
  const gone = await server.person('Gone', ['User']);
  await mira.call('PATCH', `/users/${gone.userid}`, { enabled: false });
  const answers = [];
  for (const userid of [gone.userid, 987_654]) {
    const { status, body } = await order.confirmHere(ana, { ...ana, userid });
    answers.push({ status, body });
  }
  expect(answers[0]).toMatchObject({ status: 422 });
  expect(answers[1]).toEqual(answers[0]);
  const people = await Promise.all([1, 2, 3, 4].map((number) => server.person(`Guest${number}`, ['User'])));
  for (let count = 0; count < 28; count += 1) {
    const colleague = must(people[count % people.length], 'a person');
    expect((await order.confirmHere(ana, colleague, { password: 'a guess' })).status).toBe(422);
  }
  expect((await ana.call('GET', '/user')).status).toBe(401);
});

test('COSIGN-3 WORK-RECORD-5 wrong passwords for confirming and for signing are counted together', async () => {
  await using shop = await openShop({ now: () => start });
  const { ana, ben } = shop;
  const [done, other] = [await shop.order(), await shop.order(undefined, ben)];
  await ana.call('POST', `/work_log/${done.entryid}/finish`, {});
  await other.record({ torque: '12', second: 'Ana' }, { second_person: ana.userid });
  const sign = (current_password: string) =>
    ana.call('POST', `/work_log/${done.entryid}/sign`, { meaning: 'performed', current_password });
  for (let count = 0; count < 5; count += 1) {
    expect((await sign('a guess')).status).toBe(422);
    expect((await other.confirm(ana, { current_password: 'a guess' })).status).toBe(422);
  }
  expect((await sign(password)).status).toBe(429);
  expect((await other.confirm(ana)).status).toBe(429);
});

test('COSIGN-6 a password that another person set, or an old one, confirms nothing', async () => {
  let now = start;
  await using shop = await openShop({ now: () => now, site: { password_days: 30 } });
  const { ana, ben, cy, server } = shop;
  const order = await shop.order();
  const io = { env: {}, out: () => undefined, err: () => undefined, input: async () => 'a given password' };
  await runCli(['user', 'password', 'ben@example.com', '--data', server.dataDir], io);
  now += 1000;
  expect(await order.confirmHere(ana, ben, { password: 'a given password' })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'password' }] },
  });
  now += 31 * 24 * 3600_000;
  expect(await order.confirmHere(ana, cy)).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('older than the 30 days') }] },
  });
});

test('COSIGN-6 IDEMPOTENCY-15 a repeated call changes nothing, and nothing of the password is stored or logged', async () => {
  const lines: string[] = [];
  await using shop = await openShop({ log: memoryLog(lines, 'trace') });
  const { ana, ben, server } = shop;
  const order = await shop.order();
  await order.record({ torque: '12' });
  const path = `/work_log/${order.entryid}/confirm/${ben.userid}`;
  const key = { 'Idempotency-Key': '0190c0de-0000-7000-8000-000000000077' };
  const call = (secret: string) =>
    ana.call('POST', path, { field_revisionid: order.second, password: secret }, key);
  expect((await call('wr0ng-and-typed')).status).toBe(422);
  expect((await call(password)).status).toBe(200);
  // Another proof does not make it another call, and confirms nothing either.
  const again = await call('wr0ng-and-typed');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(secondIn(again.body)).toMatchObject({ state: 'confirmed' });
  expect((await ana.call('POST', path, { field_revisionid: order.torque, password }, key)).status).toBe(422);
  const stored = await storedIn(server.dataDir);
  expect(lines.join()).toContain('confirm');
  expect(stored.join()).toContain('0190c0de-0000-7000-8000-000000000077');
  const hashes = ['wr0ng-and-typed', password].map((secret) =>
    createHash('sha256').update(secret).digest('hex'),
  );
  for (const secret of ['wr0ng-and-typed', password, ...hashes])
    expect([...stored, ...lines].filter((text) => text.includes(secret))).toEqual([]);
});
