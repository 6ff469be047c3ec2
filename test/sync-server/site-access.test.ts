import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import type { TestPerson } from '#test/support/server.ts';

import { startSite, type SiteWorld } from './site-world.ts';

let server: SiteWorld['server'];
let admin: SiteWorld['admin'];
let ana: SiteWorld['ana'];
let clock: SiteWorld['clock'];
let logged: SiteWorld['logged'];
let read: SiteWorld['read'];

beforeAll(async () => {
  ({ server, admin, ana, clock, logged, read } = await startSite());
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a private site', () => {
  it('SITE-8 strangers see only how to sign in', async () => {
    await changeSite(server.services, { private: true });
    for (const path of [
      '/guides',
      '/users',
      '/wikis/CATEGORY',
      '/categories',
      '/comments',
      `/users/${ana.userid}`,
    ])
      expect((await read(path)).status, path).toBe(401);
    for (const path of ['/sites/info', '/info', '/sites']) expect((await read(path)).status, path).toBe(200);
    expect((await read('/info')).body).toMatchObject({ private: true });
    expect((await ana.call('GET', '/guides')).status).toBe(200);
    await changeSite(server.services, { private: false });
    expect((await read('/guides')).status).toBe(200);
  });
});

describe('app ids', () => {
  it('SITE-9 app ids are issued, listed and revoked by administrators', async () => {
    expect((await ana.call('POST', '/site/app_ids', { name: 'Phones' })).status).toBe(403);
    const headers = { 'Idempotency-Key': 'issue-the-phones' };
    const issued = await admin.call('POST', '/site/app_ids', { name: 'Phones' }, headers);
    expect(issued.status).toBe(201);
    const { appid } = issued.body as { appid: string };
    expect(appid).toMatch(/^[0-9a-f]{32}$/);
    expect((await admin.call('POST', '/site/app_ids', { name: 'Phones' }, headers)).body).toEqual(
      issued.body,
    );
    expect((await admin.call('GET', '/site/app_ids')).body).toEqual([issued.body]);

    await changeSite(server.services, { public_registration: true });
    const signIn = (id?: string): Promise<number> =>
      fetch(`${server.url}/api/2.0/user/token`, {
        method: 'POST',
        ...(id === undefined ? {} : { headers: { 'X-App-Id': id } }),
        body: JSON.stringify({ email: 'ana@example.com', password: 'a long password' }),
      }).then((response) => response.status);
    expect([await signIn(), await signIn('other'), await signIn(appid)]).toEqual([400, 400, 201]);
    expect((await admin.call('DELETE', `/site/app_ids/${appid}`)).status).toBe(204);
    expect((await admin.call('DELETE', '/site/app_ids/unknown')).status).toBe(404);
    expect(await signIn(appid)).toBe(400);
    expect((await admin.call('GET', '/site/app_ids')).body).toMatchObject([
      { appid, revoked_date: Math.floor(clock.now / 1000) },
    ]);
    await changeSite(server.services, { public_registration: false });
    expect(await signIn()).toBe(201);
  });
});

describe('acting as another person', () => {
  it('SITE-10 is limited to administrators, ends after an hour in any case, and is logged', async () => {
    const act = (who: TestPerson, userid: number) => who.call('POST', '/user/token/impersonate', { userid });
    expect((await ana.call('POST', '/user/token/impersonate', {})).status).toBe(403);
    expect((await admin.call('POST', '/user/token/impersonate', {})).status).toBe(422);
    expect((await act(admin, 999_999)).status).toBe(404);
    const made = await act(admin, ana.userid);
    expect(made.status).toBe(201);
    const { authToken } = made.body as { authToken: string };
    const own = async (): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(`${server.url}/api/2.0/user`, {
        headers: { Authorization: `api ${authToken}` },
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await own()).toMatchObject({ status: 200, body: { userid: ana.userid } });
    const ofAna = `"impersonator":${admin.userid},"userid":${ana.userid}`;
    const told = logged.filter((line) => line.includes('acts as somebody else') && line.includes(ofAna));
    expect(told).toHaveLength(1);
    clock.now += 59 * 60_000;
    expect((await own()).status).toBe(200);
    clock.now += 2 * 60_000;
    expect((await own()).status).toBe(401);
  });

  it('SITE-11 does not lead to a third person, nor into a disabled account', async () => {
    const tom = await server.person('Tom');
    const made = await admin.call('POST', '/user/token/impersonate', { userid: tom.userid });
    const { authToken } = made.body as { authToken: string };
    const response = await fetch(`${server.url}/api/2.0/user/token/impersonate`, {
      method: 'POST',
      headers: { Authorization: `api ${authToken}` },
      body: JSON.stringify({ userid: ana.userid }),
    });
    expect(response.status).toBe(403);
    await admin.call('PATCH', `/users/${tom.userid}`, { enabled: false });
    expect((await admin.call('POST', '/user/token/impersonate', { userid: tom.userid })).status).toBe(422);
  });
});
