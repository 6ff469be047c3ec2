import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { contextForJob } from '#server/core/job.ts';
import { makeResetToken } from '#server/features/tokens/password-reset.ts';
import { runCommand } from '#test/support/command-line.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { clientOf, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

import {
  ask,
  minute,
  password,
  phone,
  secretFor,
  SecretWorld,
  tablet,
  type Caller,
} from './device-secret-world.ts';
import { codeIn, pageOfResponse } from './sign-on-page.ts';

let world: SecretWorld;
let server: TestServer;
let mira: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  world = await SecretWorld.start();
  ({ server } = world);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  ({ mira, ana } = await world.newPeople());
});

test('DEVICE-SECRET-1 a device gets the same secret at each request; other devices and accounts get others', async () => {
  const secret = await secretFor(ana);
  expect(Buffer.from(secret, 'base64')).toHaveLength(32);
  world.clock.now += 9 * minute;
  expect(await secretFor(ana)).toBe(secret);
  world.clock.now += 1000 * minute;
  const later = await world.signIn();
  expect(await secretFor(later)).toBe(secret);
  expect(await secretFor(later, tablet.toUpperCase())).toBe(secret);
  const mine = { call: await server.session(mira) };
  const others = [await secretFor(later, phone), await secretFor(mine), await secretFor(mine, phone)];
  expect(new Set([secret, ...others]).size).toBe(4);
});

test('DEVICE-SECRET-1 the secret belongs to the permanent id of the account, not to its number', async () => {
  const secret = await secretFor(ana);
  const rows = await server.services.storage.reader
    .selectFrom('device_secrets')
    .selectAll()
    .where('accountid', '=', await world.accountOf(ana.userid))
    .execute();
  expect(rows).toEqual([
    {
      accountid: expect.any(String),
      device: tablet,
      secret,
      created_date: Math.floor(world.clock.now / 1000),
    },
  ]);
  // As after a restore that gave the number to another account.
  await written(server.services, (tx) =>
    tx.deleteFrom('device_secrets').where('secret', '=', secret).execute(),
  );
  await written(server.services, (tx) =>
    tx
      .updateTable('users')
      .set({ accountid: '0e7d3a94-5b7e-4c57-9f0e-6a1b2c3d4e5f' })
      .where('userid', '=', ana.userid)
      .execute(),
  );
  expect(await secretFor(ana)).not.toBe(secret);
});

test('DEVICE-SECRET-2 a session gets it for ten minutes from its sign-in; afterwards the person signs in again', async () => {
  const session = await world.signIn();
  world.clock.now += 10 * minute - 1000;
  const secret = await secretFor(session);
  world.clock.now += 1000;
  const { status, body } = await ask(session);
  expect([status, body]).toMatchObject([
    403,
    { code: 'sign-in-too-old', message: 'Sign in again to unlock the work on this device' },
  ]);
  expect(JSON.stringify(body)).not.toContain(secret);
  expect((await session.call('GET', '/user')).status).toBe(200);
  expect(await secretFor(await world.signIn())).toBe(secret);
});

test('DEVICE-SECRET-2 using a session does not make it new, and setting the clock back does not either', async () => {
  const session = await world.signIn();
  world.clock.now += 90 * minute;
  // The last use is stored.
  expect((await session.call('GET', '/user')).status).toBe(200);
  expect((await ask(session)).status).toBe(403);
  world.clock.now -= 100 * minute;
  expect((await ask(session)).body).toMatchObject({ code: 'sign-in-too-old' });
  world.clock.now += 100 * minute;
});

test('DEVICE-SECRET-2 a session by single sign-on gets it too, for ten minutes', async () => {
  const provider = new IdentityProvider();
  let ahead = 0;
  await using own = await startServer({ now: () => Date.now() + ahead, site: provider.site() });
  const signOn = async (): Promise<Caller> => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const begun = await world.send('/user/token/sign_on', { challenge }, own);
    const request = IdentityProvider.read(String(begun.body['url']));
    const answer = provider.answer(request, { nameId: 'ana@corp' });
    const code = codeIn(await pageOfResponse(own, request.relayState, answer));
    const { body } = await world.send('/user/token/sign_on/redeem', { code, verifier }, own);
    return { call: clientOf(own.url, String(body['authToken'])) };
  };
  const secret = await secretFor(await signOn());
  const session = await signOn();
  expect(await secretFor(session)).toBe(secret);
  ahead += 10 * minute;
  expect((await ask(session)).body).toMatchObject({ code: 'sign-in-too-old' });
});

test('DEVICE-SECRET-2 a person who has just registered gets it', async () => {
  await changeSite(server.services, { public_registration: true });
  const { appid } = (await mira.call('POST', '/site/app_ids', { name: 'Test' })).body as { appid: string };
  const response = await fetch(`${server.url}/api/2.0/users`, {
    method: 'POST',
    headers: { 'X-App-Id': appid },
    body: JSON.stringify({ email: 'new@example.com', username: 'New', password }),
  });
  await changeSite(server.services, { public_registration: false });
  expect(response.status).toBe(201);
  const { authToken } = (await response.json()) as { authToken: string };
  expect((await ask({ call: clientOf(server.url, authToken) })).status).toBe(200);
});

test('DEVICE-SECRET-2 an administrator who acts as the person, a kiosk and a closed account do not get it', async () => {
  const { authToken } = (await mira.call('POST', '/user/token/impersonate', { userid: ana.userid })).body as {
    authToken: string;
  };
  const acting = await ask({ call: clientOf(server.url, authToken) });
  expect([acting.status, acting.body]).toMatchObject([403, { code: 'forbidden' }]);
  const kiosk = await server.person(`Kiosk${world.people}`, ['User', 'Kiosk']);
  expect((await ask(kiosk)).status).toBe(403);
  const session = await world.signIn();
  await mira.call('PATCH', `/users/${ana.userid}`, { enabled: false });
  expect((await ask(session)).status).toBe(401);
  expect((await world.send('/user/device_secret', { device: tablet })).status).toBe(401);
  const rows = await server.services.storage.reader
    .selectFrom('device_secrets')
    .select('device')
    .where('accountid', 'in', [await world.accountOf(ana.userid), await world.accountOf(kiosk.userid)])
    .execute();
  expect(rows).toEqual([]);
});

test('DEVICE-SECRET-2 the refusal of the caller comes before that of the body, which names a UUID', async () => {
  expect((await ask(ana, 'tablet')).body).toMatchObject({ errors: [{ field: 'device' }] });
  world.clock.now += 10 * minute;
  expect((await ask(ana, 'tablet')).status).toBe(403);
});

test('DEVICE-SECRET-3 a new password, whoever sets it, and the end of all sessions do not change it', async () => {
  const secret = await secretFor(await world.signIn());
  const path = `/users/${ana.userid}`;
  const own = await ana.call('PATCH', path, { password: 'my second password', current_password: password });
  expect(own.status).toBe(200);
  expect(await secretFor(await world.signIn('my second password'))).toBe(secret);
  const given = { password: 'given by Mira to Ana', current_password: password };
  expect((await mira.call('PATCH', path, given)).status).toBe(200);
  expect(await secretFor(await world.signIn(given.password))).toBe(secret);
  const token = await contextForJob(server.services, null, (ctx) => makeResetToken(ctx, ana.userid));
  const reset = await world.send('/users/reset_password/confirm', { token, password: 'chosen by the link' });
  expect(reset.status).toBe(204);
  const session = await world.signIn('chosen by the link');
  expect(await secretFor(session)).toBe(secret);
  expect((await session.call('DELETE', `${path}/sessions`)).status).toBe(204);
  expect((await session.call('DELETE', '/user/token')).status).toBe(204);
  expect((await ask(session)).status).toBe(401);
  expect(await secretFor(await world.signIn('chosen by the link'))).toBe(secret);
});

test('DEVICE-SECRET-4 the audit log says each time who got the secret of which device, and no log contains it', async () => {
  const since = Math.floor(world.clock.now);
  const secret = await secretFor(ana);
  world.clock.now += minute;
  await secretFor(ana);
  const { reader } = server.services.storage;
  const rows = await reader
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'POST /user/device_secret')
    .where('userid', '=', ana.userid)
    .execute();
  const row = { name: `Ana${world.people}`, object: 'device', object_id: tablet, outcome: 'done' };
  expect(rows).toMatchObject([
    { ...row, at: since },
    { ...row, at: since + minute },
  ]);
  expect(rows.map(({ changes }) => JSON.parse(changes) as unknown)).toEqual([
    [
      {
        table: 'device_secrets',
        op: 'insert',
        key: { accountid: await world.accountOf(ana.userid), device: tablet },
      },
    ],
    [],
  ]);
  await written(server.services, (tx) =>
    tx.deleteFrom('device_secrets').where('secret', '=', secret).execute(),
  );
  const everything = await reader.selectFrom('audit_log').selectAll().execute();
  expect(JSON.stringify(everything)).not.toContain(secret);
  expect(world.logged.length).toBeGreaterThan(0);
  expect(world.logged.join('')).not.toContain(secret);
});

test('DEVICE-SECRET-6 the secrets of an account are removed with it', async () => {
  const [gone, stays] = [await secretFor(ana), await secretFor(mira)];
  await written(server.services, async (tx) => {
    for (const table of ['tokens', 'account_names', 'unpublished_merits'] as const)
      await tx.deleteFrom(table).where('userid', '=', ana.userid).execute();
    await tx.deleteFrom('users').where('userid', '=', ana.userid).execute();
  });
  const rows = await server.services.storage.reader.selectFrom('device_secrets').select('secret').execute();
  const secrets = rows.map(({ secret }) => secret);
  expect(secrets).not.toContain(gone);
  expect(secrets).toContain(stays);
});

test('DEVICE-SECRET-6 after a restore, a device gets the same secret', async () => {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-device-secret-'));
  const data = join(root, 'data');
  const backup = join(root, 'backup');
  const key = join(root, 'backup.key');
  const restored = join(root, 'restored');
  const secretIn = async (dataDir: string): Promise<string> => {
    await using own = await startServer({ dataDir });
    if (dataDir === data) await own.person('Ana');
    const body = JSON.stringify({ email: 'ana@example.com', password });
    const answer = await fetch(`${own.url}/api/2.0/user/token`, { method: 'POST', body });
    const { authToken } = (await answer.json()) as { authToken: string };
    return await secretFor({ call: clientOf(own.url, authToken) });
  };
  try {
    const secret = await secretIn(data);
    for (const command of [
      ['backup-key', key],
      ['backup', backup, '--key', key, '--data', data],
      ['restore', backup, '--key', key, '--data', restored],
    ])
      expect(await runCommand(command)).toMatchObject({ code: 0 });
    expect(await secretIn(restored)).toBe(secret);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('IDEMPOTENCY-16 a request that is repeated with its key is performed again, with the checks of that moment', async () => {
  const headers = { 'Idempotency-Key': 'secret-of-tablet' };
  const first = await ask(ana, tablet, headers);
  const again = await ask(ana, tablet, headers);
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect((await ask(ana, phone, headers)).body).not.toEqual(first.body);
  const kept = await server.services.storage.reader.selectFrom('idempotency').selectAll().execute();
  expect(kept.filter(({ userid }) => userid === ana.userid)).toEqual([]);
  world.clock.now += 10 * minute;
  expect((await ask(ana, tablet, headers)).status).toBe(403);
});

test('INPUT-9 caches must not store the secret of a device, or the refusal', async () => {
  expect((await ask(ana)).headers.get('cache-control')).toBe('no-store');
  world.clock.now += 10 * minute;
  expect((await ask(ana)).headers.get('cache-control')).toBe('no-store');
});
