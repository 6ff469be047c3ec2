import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Session } from '#shared/model/session.ts';
import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { changeSite } from '#server/core/site.ts';
import { ok, openShop, password, type Shop } from '#test/support/approvals.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { clientOf, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { assigned, opened, page, playerOf } from '#test/support/training-world.ts';

import { benchbook, from, linkIn, own, profileOf } from './credential-calls.ts';

type Call = TestPerson['call'];

const needsProof = {
  status: 422,
  body: { errors: [{ field: 'current_password', message: expect.any(String) }] },
};

async function signIn(server: TestServer, email: string, secret: string): Promise<Call | undefined> {
  const { status, body } = await from(server, '127.0.0.1', {
    path: '/user/token',
    body: { email, password: secret },
  });
  return status === 201 ? clientOf(server.url, String(body['authToken'])) : undefined;
}

async function mailedServer(mail: { port: number }, site: object = {}): Promise<TestServer> {
  const server = await startServer({ site });
  await changeSite(server.services, mailedBy(mail));
  return server;
}

describe('made-up people', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  const someone = { email: 'leader@example.com', username: 'Tom Teamleader' };

  it("USER-18 an administrator's session alone creates no account that can sign, with or without a password", async () => {
    for (const account of [{ ...someone, password: 'chosen by the thief' }, someone])
      for (const proof of [{}, { current_password: 'a guess' }])
        expect(await shop.mira.call('POST', '/users', { ...account, ...proof })).toMatchObject(needsProof);
    expect((await shop.mira.call('GET', '/users/email/leader@example.com')).status).toBe(404);
    // Nor does it open registration, in order to register one anonymously.
    expect(await shop.mira.call('PATCH', '/site', { public_registration: true })).toMatchObject(needsProof);
    expect((await shop.mira.call('PATCH', '/site', { public_registration: false })).status).toBe(200);
  });

  it("USER-18 an administrator's session alone makes no kiosk account, whose password many know, a signer", async () => {
    const kiosk = await shop.server.person('Hall', ['User', 'Kiosk']);
    const edit = { privileges: ['User'] };
    expect(await shop.mira.call('PATCH', profileOf(kiosk), edit)).toMatchObject(needsProof);
    const proved = { ...edit, current_password: password };
    expect((await shop.mira.call('PATCH', profileOf(kiosk), proved)).status).toBe(200);
  });

  it('USER-18 with a proof, an account without a password has no session until its owner sets one through a link; its first signature names who created it', async () => {
    const proved = { ...someone, current_password: password };
    const made = await ok<Record<string, unknown>>(shop.mira.call('POST', '/users', proved));
    expect(made).not.toHaveProperty('authToken');
    expect(await signIn(shop.server, someone.email, own)).toBeUndefined();
    const out = await benchbook(
      shop.server,
      'user',
      'reset-link',
      someone.email,
      '--origin',
      'https://guides.example.org',
    );
    const body = { token: linkIn(out), password: own };
    const confirm = { path: '/users/reset_password/confirm', body };
    expect((await from(shop.server, '127.0.0.1', confirm)).status).toBe(204);
    const call = must(await signIn(shop.server, someone.email, own), 'a session');
    const { userid, ...user } = await ok<{ userid: number }>(call('GET', '/user'));
    expect(user).not.toHaveProperty('must_set_password');
    await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${userid}`, {}));
    const guide = await shop.guide();
    await ok(shop.ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`));
    const { approval_requestid: id } = await shop.request(guide.guideid);
    await ok(shop.sign(shop.tom, id, 'review'));
    await ok(shop.sign(shop.tia, id, 'review'));
    await ok(call('POST', `/approvals/request/sign/${id}`, { decision: 'approve', password: own }));
    const { reader } = shop.server.services.storage;
    const [row] = await listAudit(reader, { userid }, { limit: 1, offset: 0 });
    expect(JSON.stringify(row)).toContain(`"old":{"access_by":${shop.mira.userid}`);
  });

  it('USER-18 everyone else registers with a password', async () => {
    await using open = await startServer({ site: { public_registration: true } });
    const mira = await open.person('Mira', ['User', 'Admin']);
    const { appid } = await ok<{ appid: string }>(mira.call('POST', '/site/app_ids', { name: 'Phones' }));
    const headers = { 'x-app-id': appid };
    expect(await from(open, '127.0.0.1', { path: '/users', body: someone, headers })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'password' }] },
    });
    expect(await mira.call('POST', '/users', { ...someone, password: own })).toMatchObject(needsProof);
  });
});

describe('a mistyped address', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let server: TestServer;
  beforeAll(async () => {
    mail = await startMailServer();
    server = await mailedServer(mail);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await mail.close();
  });

  it('USER-11 keeps no link once another address, or the current one, was entered', async () => {
    const linkTo = async (address: string): Promise<string> => {
      const link = (): string => linkIn(mail.mails.find(({ to }) => to.includes(address))?.text);
      await soon(link).not.toBe('');
      return link();
    };
    const confirm = (token: string) =>
      from(server, '127.0.0.1', {
        path: '/users/reset_password/confirm',
        body: { token, password: 'chosen by a stranger' },
      });
    for (const [name, corrected] of [
      ['bob', 'bob@gmail.example'],
      ['rob', 'rob@example.com'],
    ] as const) {
      const person = await server.person(name);
      const change = (email: string) =>
        person.call('PATCH', profileOf(person), { email, current_password: password });
      const mistyped = `${name}@gmial.example`;
      await ok(change(mistyped));
      const link = await linkTo(mistyped);
      await ok(change(corrected));
      expect(await confirm(link)).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } });
    }
    expect((await confirm(await linkTo('bob@gmail.example'))).status).toBe(204);
  });
});

describe('open registration', () => {
  it('USER-12 without mail, one address can create at most sixty accounts an hour', async () => {
    const now = Date.parse('2026-05-04T08:00:00Z');
    await using server = await startServer({ now: () => now, site: { public_registration: true } });
    const mira = await server.person('Mira', ['User', 'Admin']);
    const { appid } = await ok<{ appid: string }>(mira.call('POST', '/site/app_ids', { name: 'Phones' }));
    const register = (address: string, count: number) =>
      from(server, address, {
        path: '/users',
        body: { email: `flood${count}@example.com`, username: `Flood ${count}`, password: own },
        headers: { 'x-app-id': appid },
      });
    const statuses: number[] = [];
    for (let count = 0; count < 65; count += 1)
      statuses.push((await register(`2001:db8:1:2::${count + 1}`, count)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429, 429, 429, 429]);
    expect((await register('2001:db8:1:3::1', 99)).status).toBe(201);
  });
});

describe('an open module player', () => {
  let server: TestServer;
  let author: TestPerson;
  beforeAll(async () => {
    server = await startServer();
    author = await server.person('Ana', ['User', 'Author']);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The remaining access of a learner in a player that was opened with one of their sessions. */
  async function players(name: string): Promise<{
    ben: TestPerson;
    other: Call;
    works: (where: 'here' | 'there') => Promise<boolean>;
    late: string;
  }> {
    const ben = await server.person(name, ['User']);
    const { moduleid } = await assigned(server, author, ben, scorm12());
    const other = await server.session(ben);
    const here = await opened((await playerOf(ben, moduleid)).url);
    const thief = { ...ben, call: other };
    const there = await opened((await playerOf(thief, moduleid)).url);
    const late = (await playerOf(thief, moduleid)).url;
    const works = async (where: 'here' | 'there'): Promise<boolean> => {
      const address = where === 'here' ? here : there;
      const told = (await page(address, 'launch.json')).status;
      const { status } = await page(address, 'activities/0/data', {
        method: 'POST',
        body: JSON.stringify({ 'cmi.core.lesson_status': 'passed' }),
      });
      expect([200, 401]).toContain(told);
      expect(status).toBe(told);
      return told === 200;
    };
    expect([await works('here'), await works('there')]).toEqual([true, true]);
    return { ben, other, works, late };
  }

  it('USER-14 ends with the session that opened it: new password, ended sessions, sign-out', async () => {
    const ends: [string, (ben: TestPerson, other: Call) => Promise<unknown>][] = [
      [
        'password',
        (ben) => ok(ben.call('PATCH', profileOf(ben), { password: own, current_password: password })),
      ],
      ['others', (ben) => ok(ben.call('DELETE', `${profileOf(ben)}/sessions`))],
      ['signout', (_, other) => ok(other('DELETE', '/user/token'))],
      [
        'one',
        async (ben) => {
          const sessions = await ok<Session[]>(ben.call('GET', `${profileOf(ben)}/sessions`));
          for (const { sessionid, is_current } of sessions)
            if (!is_current) await ok(ben.call('DELETE', `${profileOf(ben)}/sessions/${sessionid}`));
        },
      ],
    ];
    for (const [name, end] of ends) {
      const { ben, other, works, late } = await players(`Ben${name}`);
      await end(ben, other);
      expect([name, await works('there')]).toEqual([name, false]);
      // Their own session continues, and an unused link opens nothing.
      expect([name, await works('here')]).toEqual([name, true]);
      expect([name, (await fetch(late, { redirect: 'manual' })).status]).toEqual([name, 404]);
    }
  });
});

describe('a repeated idempotency key', () => {
  it('IDEMPOTENCY-15 with another new password, it is another request, and nothing of either is stored', async () => {
    await using server = await startServer();
    const ana = await server.person('Ana');
    const key = { 'Idempotency-Key': '0190c0de-0000-7000-8000-000000000003' };
    const first = { password: own, current_password: password };
    expect((await ana.call('PATCH', profileOf(ana), first, key)).status).toBe(200);
    expect((await ana.call('PATCH', profileOf(ana), first, key)).status).toBe(200);
    // The proof of identity may differ: the response is already stored.
    const again = { ...first, current_password: own };
    const replayed = await ana.call('PATCH', profileOf(ana), again, key);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = { password: 'another new password', current_password: own };
    expect(await ana.call('PATCH', profileOf(ana), other, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
    expect(await signIn(server, 'ana@example.com', other.password)).toBeUndefined();
    expect(await signIn(server, 'ana@example.com', own)).toBeDefined();
  });
});
