import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import type { Account, Invitation, SiteSession } from '#shared/model/account.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { written } from '#test/support/written.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const week = 7 * 24 * 3600;
const password = 'a long password';
const proved = { current_password: password };
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let mira: TestPerson;
let names = 0;

beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer({ now: () => clock.now });
  mira = await server.person('Mira', ['Admin']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail.close();
});
beforeEach(async () => {
  await server.services.mailer.idle();
  clock.now += 24 * 3600_000;
  mail.mails.length = 0;
  await changeSite(server.services, mailedBy(mail));
});

/** A person with the address `{name}@example.com`. */
function person(): Promise<TestPerson & { email: string }> {
  names += 1;
  const name = `Account${names}`;
  return server.person(name).then((made) => ({ ...made, email: `${name.toLowerCase()}@example.com` }));
}

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const redeem = (code: string, chosen = 'my own password') =>
  post('/accounts/redeem', { code, password: chosen });
const signIn = async (email: string, given: string): Promise<number> =>
  (await post('/user/token', { email, password: given })).status;

async function codeFor(userid: number): Promise<Invitation & { code: string }> {
  const { status, body } = await mira.call('POST', `/accounts/${userid}/invitation`, {
    by: 'code',
    ...proved,
  });
  expect(status).toBe(200);
  return body as Invitation & { code: string };
}

async function accountOf(userid: number): Promise<Account | undefined> {
  const { body } = await mira.call('GET', '/accounts?limit=200');
  return (body as Account[]).find((one) => one.userid === userid);
}

test('ACCOUNTS-1 accounts are listed with roles, teams, state and last use, and without addresses', async () => {
  const ana = await person();
  const { body: team } = await mira.call('POST', '/teams', { name: 'Presses', owner: ana.userid });
  await mira.call('PATCH', `/users/${ana.userid}`, { privileges: ['Author'] });
  const found = await accountOf(ana.userid);
  expect(found).toMatchObject({
    privileges: ['User', 'Author'],
    teams: [(team as { teamid: number }).teamid],
    enabled: true,
    sessions: 1,
    has_email: true,
    can_sign_in: true,
    invited_until: null,
  });
  expect(found?.seen_date).toBeGreaterThan(clock.now / 1000 - 3700);
  expect(JSON.stringify((await mira.call('GET', '/accounts?limit=200')).body)).not.toContain('@example.com');
  await mira.call('PATCH', `/users/${ana.userid}`, { enabled: false });
  expect(await accountOf(ana.userid)).toMatchObject({ enabled: false, sessions: 0, seen_date: null });
  const page = await mira.call('GET', '/accounts?limit=1&offset=1');
  expect(page.body).toHaveLength(1);
  expect((await ana.call('GET', '/accounts')).status).toBe(401);
});

test('ACCOUNTS-2 ACCOUNTS-3 sessions of all people are listed, and end but for the own and those of stations', async () => {
  const ana = await person();
  const station = await mira.call('POST', '/stations', { name: `Press ${names}`, ...proved });
  const { enrolment_code } = station.body as { enrolment_code: string };
  const enrolled = await post('/stations/enroll', { code: enrolment_code, device: 'Panel' });
  const { authToken } = enrolled.body as { authToken: string };
  const listed = async (): Promise<SiteSession[]> =>
    (await mira.call('GET', '/accounts/sessions?limit=200')).body as SiteSession[];
  const found = await listed();
  expect(found).toContainEqual(
    expect.objectContaining({ userid: ana.userid, username: `Account${names}`, is_connected: false }),
  );
  expect(found.filter(({ is_current }) => is_current)).toMatchObject([{ userid: mira.userid }]);
  const stream = new AbortController();
  const streaming = await fetch(`${server.url}/sync/1/events?since=0.0`, {
    headers: { Authorization: `api ${authToken}` },
    signal: stream.signal,
  });
  expect(streaming.status).toBe(200);
  await expect
    .poll(async () => (await listed()).find(({ device }) => device === 'Panel')?.is_connected)
    .toBe(true);
  stream.abort();
  expect((await mira.call('DELETE', '/accounts/sessions')).status).toBe(204);
  expect((await ana.call('GET', '/user')).status).toBe(401);
  expect((await mira.call('GET', '/user')).status).toBe(200);
  expect((await listed()).map(({ device }) => device)).toContain('Panel');
});

test('ACCOUNTS-9 codes and single sign-ons of accounts in use end with the sessions; a first invitation stays', async () => {
  const ana = await person();
  const { code } = await codeFor(ana.userid);
  const fresh = { username: 'Fresh', email: 'fresh@example.com', ...proved };
  const { userid } = (await mira.call('POST', '/users', fresh)).body as { userid: number };
  const invitation = await codeFor(userid);
  const { storage } = server.services;
  const until = clock.now / 1000 + 60;
  await written(server.services, async (tx) => {
    for (const [owner, name] of [
      [ana.userid, 'of ana'],
      [mira.userid, 'of mira'],
    ] as const)
      await tx
        .insertInto('sign_on_tokens')
        .values({ token_hash: name, userid: owner, authenticated_date: until, expires_date: until })
        .execute();
  });
  expect((await mira.call('DELETE', '/accounts/sessions')).status).toBe(204);
  expect((await redeem(code)).status).toBe(422);
  expect((await redeem(invitation.code)).status).toBe(200);
  const kept = await storage.reader.selectFrom('sign_on_tokens').select('token_hash').execute();
  expect(kept).toEqual([{ token_hash: 'of mira' }]);
  expect(await signIn(ana.email, password)).toBe(201);
});

test('ACCOUNTS-4 ACCOUNTS-7 a printed code sets a password once, within a week, and ends every session', async () => {
  const ana = await person();
  const first = await codeFor(ana.userid);
  expect(first.until_date).toBe(clock.now / 1000 + week);
  expect((await accountOf(ana.userid))?.invited_until).toBe(first.until_date);
  expect(await signIn(ana.email, password)).toBe(201);
  const { code } = await codeFor(ana.userid);
  const wrong = await redeem(first.code);
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'code' }] } });
  // As people type it.
  const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect(await redeem(typed)).toEqual({ status: 200, body: { email: ana.email } });
  expect((await ana.call('GET', '/user')).status).toBe(401);
  expect(await signIn(ana.email, password)).toBe(401);
  expect(await signIn(ana.email, 'my own password')).toBe(201);
  expect(await redeem(code)).toEqual(wrong);
  const late = await codeFor(ana.userid);
  clock.now += week * 1000;
  expect(await redeem(late.code)).toEqual(wrong);
});

test('ACCOUNTS-4 a person who was registered without a password is invited by mail', async () => {
  names += 1;
  const email = `invited${names}@example.com`;
  const made = await mira.call('POST', '/users', { email, username: 'Ines', ...proved });
  const { userid } = made.body as { userid: number };
  expect(await accountOf(userid)).toMatchObject({ can_sign_in: false, invited_until: null });
  const invited = await mira.call('POST', `/accounts/${userid}/invitation`, { by: 'mail', ...proved });
  expect(invited).toMatchObject({ status: 200, body: { code: null } });
  await soon(() => mail.mails.length).toBe(1);
  expect(mail.mails[0]).toMatchObject({ to: [email] });
  const token = /reset-password\?token=([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
  clock.now += (week - 60) * 1000;
  const chosen = { token, password: 'my own password' };
  expect((await post('/users/reset_password/confirm', chosen)).status).toBe(204);
  expect(await signIn(email, 'my own password')).toBe(201);
});

test('ACCOUNTS-4 nobody is invited without a proof, into a closed account, or by a mail that cannot be sent', async () => {
  const ana = await person();
  const path = `/accounts/${ana.userid}/invitation`;
  const refusal = async (body: object, caller = mira) => {
    const answer = await caller.call('POST', path, body);
    const { errors } = answer.body as { errors?: { field: string }[] };
    return [answer.status, errors?.[0]?.field];
  };
  expect(await refusal({ by: 'code' })).toEqual([422, 'current_password']);
  expect(await refusal({ by: 'code', current_password: 'wrong' })).toEqual([422, 'current_password']);
  expect(await refusal({ by: 'code', ...proved }, ana)).toEqual([403, undefined]);
  await changeSite(server.services, { smtp: null });
  expect(await refusal({ by: 'mail', ...proved })).toEqual([422, 'by']);
  await mira.call('PATCH', `/users/${ana.userid}`, { enabled: false });
  expect(await refusal({ by: 'code', ...proved })).toEqual([422, 'userid']);
  const station = await mira.call('POST', '/stations', { name: `Saw ${names}`, ...proved });
  const { stationid } = station.body as { stationid: number };
  const forStation = await mira.call('POST', `/accounts/${stationid}/invitation`, { by: 'code', ...proved });
  expect(forStation.status).toBe(403);
});

test('ACCOUNTS-4 a code that waits is of no use once the account is closed', async () => {
  const ana = await person();
  const { code } = await codeFor(ana.userid);
  await mira.call('PATCH', `/users/${ana.userid}`, { enabled: false });
  expect((await redeem(code)).status).toBe(422);
});

test('ACCOUNTS-5 neither the database nor the audit log has the code', async () => {
  const ana = await person();
  const { code } = await codeFor(ana.userid);
  const plain = code.replace('-', '');
  const { reader } = server.services.storage;
  const stored = await reader.selectFrom('password_resets').selectAll().execute();
  const log = await mira.call('GET', '/audit?action=POST%20/accounts/%7Buserid%7D/invitation&limit=200');
  const everything = JSON.stringify([stored, log.body]);
  expect(stored.map(({ userid }) => userid)).toContain(ana.userid);
  expect(log.body).toContainEqual(expect.objectContaining({ object: 'user', objectid: String(ana.userid) }));
  expect(everything).not.toContain(code);
  expect(everything).not.toContain(plain);
});

test('IDEMPOTENCY-16 ACCOUNTS-5 asking for a code again with the same key makes another one, and only that is valid', async () => {
  const ana = await person();
  const headers = { 'Idempotency-Key': 'invite-ana' };
  const ask = async (): Promise<string> => {
    const path = `/accounts/${ana.userid}/invitation`;
    const { status, body, headers: got } = await mira.call('POST', path, { by: 'code', ...proved }, headers);
    expect([status, got.get('idempotency-replayed')]).toEqual([200, null]);
    return String((body as Invitation).code);
  };
  const [first, second] = [await ask(), await ask()];
  expect(second).not.toBe(first);
  expect((await redeem(first)).status).toBe(422);
  expect((await redeem(second)).status).toBe(200);
});

test('ACCOUNTS-6 the owner of an account in use is told of a code, and the administrator is remembered', async () => {
  const ana = await person();
  await codeFor(ana.userid);
  await soon(() => mail.mails.length).toBe(1);
  expect(mail.mails[0]?.to).toEqual([ana.email]);
  expect(mail.mails[0]?.text).toContain('the administrator Mira');
  const row = await server.services.storage.reader
    .selectFrom('users')
    .select('access_by')
    .where('userid', '=', ana.userid)
    .executeTakeFirst();
  expect(row?.access_by).toBe(mira.userid);
});

test('ACCOUNTS-8 wrong codes are counted by address, in the audit log too, and have to wait', async () => {
  const ana = await person();
  const { code } = await codeFor(ana.userid);
  const from = Math.floor(clock.now / 1000);
  const guesses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) guesses.push((await redeem('AAAAA-AAAAA')).status);
  expect(guesses).toEqual([...Array<number>(10).fill(422), 429, 429]);
  expect((await redeem(code)).status).toBe(429);
  const refused = `/audit?action=POST%20/accounts/redeem&outcome=refused&from=${from}`;
  expect((await mira.call('GET', refused)).body).toHaveLength(10);
  clock.now += 3600_000;
  expect((await redeem(code)).status).toBe(200);
});

test('ACCOUNTS-10 the account of an invitation that the mail server refused says so, until the next one', async () => {
  const ana = await person();
  const invite = () => mira.call('POST', `/accounts/${ana.userid}/invitation`, { by: 'mail', ...proved });
  mail.refuses = ana.email;
  const answer = await invite();
  expect(answer.status).toBe(200);
  expect((answer.body as Invitation).failure).toMatch(/No such mailbox/);
  expect((await accountOf(ana.userid))?.invitation_failure).toMatch(/No such mailbox/);
  expect((await accountOf(ana.userid))?.invitation_failure).not.toContain('@');
  delete mail.refuses;
  expect((await invite()).body).not.toHaveProperty('failure');
  const now = await accountOf(ana.userid);
  expect(now?.invited_until).not.toBeNull();
  expect(now).not.toHaveProperty('invitation_failure');
});

test('ADMIN-24 the server refuses to take the last administrator, in every way', async () => {
  const change = (edit: object) => mira.call('PATCH', `/users/${mira.userid}`, edit);
  const isKiosk = { privileges: ['User', 'Admin', 'Kiosk'], ...proved };
  for (const edit of [{ privileges: ['User'] }, { enabled: false }, isKiosk])
    expect(await change(edit)).toMatchObject({
      status: 403,
      body: { message: 'The last administrator cannot step down' },
    });
  const other = await person();
  await mira.call('PATCH', `/users/${other.userid}`, { privileges: ['User', 'Admin'], ...proved });
  expect((await change({ privileges: ['User'] })).status).toBe(200);
  expect((await other.call('PATCH', `/users/${other.userid}`, { enabled: false })).status).toBe(403);
  const back = { privileges: ['User', 'Admin'], ...proved };
  expect((await other.call('PATCH', `/users/${mira.userid}`, back)).status).toBe(200);
});
