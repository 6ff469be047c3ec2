import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let mira: TestPerson;
let appid = '';
let names = 0;

beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer({ now: () => clock.now, site: { public_registration: true } });
  mira = await server.person('Mira', ['User', 'Admin']);
  appid = ((await mira.call('POST', '/site/app_ids', { name: 'Phones' })).body as { appid: string }).appid;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail.close();
});
beforeEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  await server.services.mailer.idle();
  clock.now += 2 * 3600_000;
  mail.mails.length = 0;
  await changeSite(server.services, mailedBy(mail));
});

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function send(method: string, path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-App-Id': appid,
      ...(token === undefined ? {} : { Authorization: `api ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

const password = 'a password of mine';
const register = (email: string): Promise<Answer> =>
  send('POST', '/users', { email, username: 'New Person', password });
const signIn = async (email: string, secret: string): Promise<number> =>
  (await send('POST', '/user/token', { email, password: secret })).status;
const linkIn = (text: string | undefined): string =>
  /https:\/\/guides\.example\.org\/reset-password\?token=([\w-]{43})/.exec(text ?? '')?.[1] ?? '';

async function known(): Promise<string> {
  names += 1;
  await server.person(`Known${names}`);
  return `known${names}@example.com`;
}

async function rows(): Promise<Record<string, number>> {
  const db = server.services.storage.reader;
  const count = async (table: 'users' | 'tokens' | 'password_resets' | 'reset_requests' | 'feed') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  return {
    users: await count('users'),
    tokens: await count('tokens'),
    resets: await count('password_resets'),
    requests: await count('reset_requests'),
    feed: await count('feed'),
  };
}

/** The shape of a response without values that differ for everyone. */
function shapeOf({ status, headers, body }: Answer): unknown {
  const plain = { ...body };
  for (const name of ['userid', 'authToken', 'accountid', 'url', 'unique_username']) delete plain[name];
  const told = [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted();
  return { status, told, plain, names: Object.keys(body).toSorted() };
}

it('USER-10 registering an address gives the same response and effort whether or not it has an account', async () => {
  const address = await known();
  const before = await rows();
  const ofKnown = await register(address.toUpperCase());
  const between = await rows();
  const ofNew = await register('somebody@example.com');
  const after = await rows();
  expect(ofKnown.status).toBe(201);
  expect(shapeOf(ofKnown)).toEqual(shapeOf(ofNew));
  const made = (one: typeof before, other: typeof before): number[] =>
    Object.entries(other).map(([name, count]) => count - (one[name] ?? 0));
  expect(made(before, between)).toEqual(made(between, after));
  for (const { body } of [ofKnown, ofNew])
    expect(
      (
        await fetch(`${server.url}/api/2.0/user`, {
          headers: { Authorization: `api ${String(body['authToken'])}` },
        })
      ).status,
    ).toBe(200);
  // Nor does signing in reveal it before the mail was read.
  expect([await signIn(address, password), await signIn('somebody@example.com', password)]).toEqual([
    401, 401,
  ]);
  expect(await signIn(address, 'a long password')).toBe(201);
  await soon(() => mail.mails.length).toBe(2);
  const [toKnown, toNew] = [address, 'somebody@example.com'].map((one) =>
    mail.mails.find(({ to }) => to.includes(one)),
  );
  expect(toKnown?.text).toContain('it already belongs');
  expect(linkIn(toKnown?.text)).toBe('');
  expect(linkIn(toNew?.text)).not.toBe('');
});

it('USER-10 the address belongs to the person who reads its mail, and an earlier registration by another ends', async () => {
  const { body } = await register('victim@example.com');
  await soon(() => mail.mails.length).toBe(1);
  const token = linkIn(mail.mails[0]?.text);
  const confirm = (secret: string) =>
    send('POST', '/users/reset_password/confirm', { token, password: secret });
  expect((await confirm('the choice of its owner')).status).toBe(204);
  expect((await confirm('another one of theirs')).status).toBe(422);
  expect(await signIn('victim@example.com', password)).toBe(401);
  expect(await signIn('victim@example.com', 'the choice of its owner')).toBe(201);
  const kept = await fetch(`${server.url}/api/2.0/user`, {
    headers: { Authorization: `api ${String(body['authToken'])}` },
  });
  expect(kept.status).toBe(401);
});

it('USER-10 of two people who registered an address, one gets it; a link expires after a day', async () => {
  await register('twice@example.com');
  await register('twice@example.com');
  await soon(() => mail.mails.length).toBe(2);
  const [first, second] = mail.mails.map(({ text }) => linkIn(text));
  const confirm = (token: string | undefined) =>
    send('POST', '/users/reset_password/confirm', { token, password: 'chosen by its owner' });
  expect((await confirm(first)).status).toBe(204);
  expect((await confirm(second)).status).toBe(422);
  mail.mails.length = 0;
  await register('late@example.com');
  await soon(() => mail.mails.length).toBe(1);
  clock.now += 25 * 3600_000;
  expect((await confirm(linkIn(mail.mails[0]?.text))).status).toBe(422);
});

it('USER-10 nobody is flooded with e-mails, known or not', async () => {
  const address = await known();
  for (const email of [address, 'flooded@example.com']) {
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await register(email)).status);
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
  }
});

it('USER-10 administrators are told which value is taken', async () => {
  const body = { email: await known(), username: 'Other', password, current_password: 'a long password' };
  expect(await mira.call('POST', '/users', body)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'email' }] },
  });
});

it('USER-11 changing an address always gives the same response, and takes effect through the link in the e-mail', async () => {
  const address = await known();
  const own = await known();
  const token = String(
    (await send('POST', '/user/token', { email: own, password: 'a long password' })).body['authToken'],
  );
  const userid = String(
    (await send('POST', '/user/token', { email: own, password: 'a long password' })).body['userid'],
  );
  const change = (email: string) =>
    send('PATCH', `/users/${userid}`, { email, current_password: 'a long password' }, token);
  const [toTaken, toNew] = [await change(address), await change('moved@example.com')];
  expect(shapeOf(toTaken)).toEqual(shapeOf(toNew));
  expect(toNew.status).toBe(200);
  expect(await signIn(own, 'a long password')).toBe(201);
  await soon(() => mail.mails.length).toBe(2);
  const link = linkIn(mail.mails.find(({ to }) => to.includes('moved@example.com'))?.text);
  const confirmed = await send('POST', '/users/reset_password/confirm', {
    token: link,
    password: 'my next password',
  });
  expect(confirmed.status).toBe(204);
  expect(await signIn('moved@example.com', 'my next password')).toBe(201);
  expect(await signIn(own, 'my next password')).toBe(401);
  expect(await signIn(address, 'a long password')).toBe(201);
});

it('USER-12 without mail the response is the same too, and the address does not change', async () => {
  await changeSite(server.services, { smtp: null });
  const address = await known();
  const [ofKnown, ofNew] = [await register(address), await register('no-mail@example.com')];
  expect(shapeOf(ofKnown)).toEqual(shapeOf(ofNew));
  expect(ofNew.status).toBe(201);
  expect(await signIn(address, 'a long password')).toBe(201);
  expect(await signIn(address, password)).toBe(401);
  expect(await signIn('no-mail@example.com', password)).toBe(201);
});
