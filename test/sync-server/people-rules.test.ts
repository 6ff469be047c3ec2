import { describe, expect, it } from 'vitest';

import { startServer, type TestServer } from '#test/support/server.ts';

async function post(
  server: TestServer,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const ana = { email: 'ana@example.com', password: 'a long password' };

describe('signing in', () => {
  it('SIGN-IN-1 signing in answers 201 with the record and a token that is valid until it is ended', async () => {
    await using server = await startServer();
    await server.person('Ana');
    const made = await post(server, '/user/token', { ...ana, email: 'ANA@example.com' });
    expect(made).toMatchObject({
      status: 201,
      body: { username: 'Ana', privileges: ['User', 'Author'], about_raw: false },
    });
    const headers = { Authorization: `api ${String(made.body['authToken'])}` };
    const own = await fetch(`${server.url}/api/2.0/user`, { headers });
    expect(await own.json()).toMatchObject({ username: 'Ana', authToken: made.body['authToken'] });
    expect((await fetch(`${server.url}/api/2.0/user/token`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(`${server.url}/api/2.0/user`, { headers })).status).toBe(401);
    expect((await fetch(`${server.url}/api/2.0/user/token`, { method: 'DELETE', headers })).status).toBe(401);
  });

  it('SIGN-IN-2 a wrong password, an unknown account and a disabled one get the same response', async () => {
    await using server = await startServer();
    await server.person('Ana');
    const ben = await server.person('Ben');
    const mira = await server.person('Mira', ['User', 'Admin']);
    expect((await mira.call('PATCH', `/users/${ben.userid}`, { enabled: false })).status).toBe(200);
    const wrong = await post(server, '/user/token', { ...ana, password: 'not the password' });
    const unknown = await post(server, '/user/token', {
      email: 'nobody@example.com',
      password: 'a long password',
    });
    const disabled = await post(server, '/user/token', {
      email: 'ben@example.com',
      password: 'a long password',
    });
    expect(wrong).toMatchObject({
      status: 401,
      body: { code: 'wrong-login', message: 'Invalid login', msg: 'Invalid login' },
    });
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    expect([disabled.status, disabled.body]).toEqual([wrong.status, wrong.body]);
    expect((await ben.call('GET', '/user')).status).toBe(401);
  });

  it('SIGN-IN-3 signing in is throttled after ten failures, for unknown accounts too, until time passes', async () => {
    let now = 1_800_000_000_000;
    await using server = await startServer({ now: () => now });
    await server.person('Ana');
    for (const email of [ana.email, 'nobody@example.com']) {
      for (let count = 0; count < 10; count += 1)
        expect((await post(server, '/user/token', { email, password: 'not the password' })).status).toBe(401);
      const blocked = await post(server, '/user/token', { email, password: ana.password });
      expect(blocked.status).toBe(429);
      expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    now += 60_000;
    expect((await post(server, '/user/token', ana)).status).toBe(201);
    expect((await post(server, '/user/token', { ...ana, password: 'not the password' })).status).toBe(401);
  });

  it('SIGN-IN-4 a session lasts 90 days from its last use', async () => {
    let now = 1_800_000_000_000;
    const day = 24 * 3600 * 1000;
    await using server = await startServer({ now: () => now });
    const person = await server.person('Ana');
    for (let count = 0; count < 3; count += 1) {
      now += 89 * day;
      expect((await person.call('GET', '/user')).status).toBe(200);
    }
    now += 91 * day;
    expect((await person.call('GET', '/user')).status).toBe(401);
  });

  it('SIGN-IN-5 signing in needs e-mail and password and nothing else', async () => {
    await using server = await startServer();
    expect((await post(server, '/user/token', {})).status).toBe(422);
    expect((await post(server, '/user/token', { ...ana, remember: true })).status).toBe(422);
  });
});

describe('accounts', () => {
  const cleo = { email: 'cleo@example.com', username: 'Cleo Park', password: 'long enough' };

  it('USER-1 administrators create accounts where registration is closed', async () => {
    await using server = await startServer();
    const mira = await server.person('Mira', ['User', 'Admin']);
    const other = await server.person('Ana');
    expect((await post(server, '/users', cleo)).status).toBe(401);
    expect((await other.call('POST', '/users', cleo)).status).toBe(403);
    const proof = { current_password: 'a long password' };
    const made = await mira.call('POST', '/users', { ...cleo, ...proof });
    expect(made).toMatchObject({
      status: 201,
      body: { unique_username: 'cleopark', privileges: ['User'], reputation: 1 },
    });
    for (const email of [cleo.email, 'CLEO@example.com'])
      expect(await mira.call('POST', '/users', { ...cleo, ...proof, email })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'email' }] },
      });
    const namesake = await mira.call('POST', '/users', { ...cleo, ...proof, email: 'cleo2@example.com' });
    expect(namesake).toMatchObject({ status: 201, body: { unique_username: 'cleopark2' } });
  });

  it('USER-2 everyone with an app id creates accounts where registration is open', async () => {
    await using server = await startServer({ site: { public_registration: true } });
    const mira = await server.person('Mira', ['User', 'Admin']);
    const issued = await mira.call('POST', '/site/app_ids', { name: 'Phones' });
    const { appid } = issued.body as { appid: string };
    expect(await post(server, '/users', cleo)).toMatchObject({
      status: 400,
      body: { message: 'Invalid app id', code: 'invalid-app-id' },
    });
    expect((await post(server, '/users', cleo, { 'X-App-Id': 'other' })).status).toBe(400);
    const made = await post(server, '/users', cleo, { 'X-App-Id': appid });
    expect(made).toMatchObject({ status: 201, body: { username: 'Cleo Park' } });
    expect(made.body['authToken']).toEqual(expect.any(String));
    expect((await post(server, '/users', { ...cleo, password: 'short' }, { 'X-App-Id': appid })).status).toBe(
      422,
    );
    expect((await post(server, '/user/token', cleo)).status).toBe(400);
  });

  it('USER-3 accounts show no e-mail address to others', async () => {
    await using server = await startServer();
    const person = await server.person('Ana');
    for (const path of ['/users', `/users/${person.userid}`, '/user'])
      expect(JSON.stringify((await person.call('GET', path)).body)).not.toContain('ana@example.com');
  });

  it('USER-4 owners and administrators edit accounts: 404 before 403 before 422', async () => {
    await using server = await startServer();
    const owner = await server.person('Ana');
    const other = await server.person('Ben');
    const mira = await server.person('Mira', ['User', 'Admin']);
    const path = `/users/${owner.userid}`;
    expect((await other.call('PATCH', '/users/999999', { nonsense: 1 })).status).toBe(404);
    expect((await other.call('PATCH', path, { nonsense: 1 })).status).toBe(403);
    expect((await owner.call('PATCH', path, { nonsense: 1 })).status).toBe(422);
    expect((await owner.call('PATCH', path, { privileges: ['Admin'] })).status).toBe(403);
    expect((await owner.call('PATCH', path, { unique_username: 'ben' })).status).toBe(422);
    expect((await owner.call('PATCH', path, { image: 999999 })).status).toBe(422);
    expect(await owner.call('PATCH', path, { about: "I ''repair''." })).toMatchObject({
      status: 200,
      body: { about_raw: "I ''repair''.", about_rendered: '<p>I <em>repair</em>.</p>', username: 'Ana' },
    });
    expect(await mira.call('PATCH', path, { privileges: ['Moderator'] })).toMatchObject({
      status: 200,
      body: { privileges: ['User', 'Moderator'] },
    });
    expect((await mira.call('PATCH', `/users/${mira.userid}`, { privileges: [] })).status).toBe(403);
  });

  it('USER-5 a new password ends the other tokens', async () => {
    await using server = await startServer();
    const person = await server.person('Ana');
    const second = await post(server, '/user/token', ana);
    expect(
      (
        await person.call('PATCH', `/users/${person.userid}`, {
          password: 'another password',
          current_password: 'a long password',
        })
      ).status,
    ).toBe(200);
    const old = await fetch(`${server.url}/api/2.0/user`, {
      headers: { Authorization: `api ${String(second.body['authToken'])}` },
    });
    expect(old.status).toBe(401);
    expect((await person.call('GET', '/user')).status).toBe(200);
    expect((await post(server, '/user/token', ana)).status).toBe(401);
    expect((await post(server, '/user/token', { ...ana, password: 'another password' })).status).toBe(201);
  });

  it('USER-6 accounts are listed by userid in pages', async () => {
    await using server = await startServer();
    const first = await server.person('Ana');
    const second = await server.person('Ben');
    const ids = async (query: string): Promise<number[]> =>
      ((await first.call('GET', `/users${query}`)).body as { userid: number }[]).map((one) => one.userid);
    expect(await ids('')).toEqual([first.userid, second.userid]);
    expect(await ids('?order=DESC&limit=1')).toEqual([second.userid]);
    expect((await first.call('GET', '/users?offset=1001')).status).toBe(422);
    expect((await first.call('GET', '/users/999999')).status).toBe(404);
    expect((await first.call('GET', '/users/999999/guides')).status).toBe(404);
  });

  it('USER-7 a private site needs a sign-in for everything but signing in', async () => {
    await using server = await startServer({ site: { private: true } });
    await server.person('Ana');
    expect((await fetch(`${server.url}/api/2.0/users`)).status).toBe(401);
    expect((await fetch(`${server.url}/api/2.0/guides`)).status).toBe(401);
    expect((await post(server, '/user/token', ana)).status).toBe(201);
  });
});
