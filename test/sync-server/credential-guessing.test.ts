import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { ok, password } from '#test/support/approvals.ts';
import { startServer } from '#test/support/server.ts';

import { as, benchbook, from, linkIn, own, profileOf } from './credential-calls.ts';

describe('password guessing', () => {
  it('USER-19 guessing with a stolen session from many addresses ends that session; the owner continues', async () => {
    let now = Date.parse('2026-05-04T08:00:00Z');
    await using server = await startServer({ now: () => now });
    const tom = await server.person('Tom', ['User']);
    const mine = await server.session(tom);
    const guess = (count: number, current_password = `guess ${count}`) =>
      from(server, `2001:db8:1:${count.toString(16)}::1`, {
        method: 'PATCH',
        path: profileOf(tom),
        body: { password: 'forged password', current_password },
        headers: as(tom),
      });
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) statuses.push((await guess(count)).status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(30);
    expect((await guess(61, password)).status).toBe(401);
    expect((await mine('GET', '/user')).status).toBe(200);
    const change = { password: own, current_password: password };
    now += 301_000;
    expect((await mine('PATCH', profileOf(tom), change)).status).toBe(200);
  });

  it('USER-19 all sessions of a person share thirty guesses, and then one every five minutes', async () => {
    let now = Date.parse('2026-05-04T08:00:00Z');
    await using server = await startServer({ now: () => now });
    const tom = await server.person('Tom', ['User']);
    const sessions: { token: string }[] = [tom];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await from(server, '127.0.0.1', {
        path: '/user/token',
        body: { email: 'tom@example.com', password },
      });
      sessions.push({ token: String(body['authToken']) });
    }
    const guesses = async (): Promise<number> => {
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, count) =>
          from(server, `2001:db8:2:${count.toString(16)}::1`, {
            method: 'PATCH',
            path: profileOf(tom),
            body: { password: 'forged password', current_password: `guess ${count}` },
            headers: as(must(sessions[count % sessions.length], 'a session')),
          }),
        ),
      );
      return answers.filter(({ status }) => status === 422).length;
    };
    let all = 0;
    for (let round = 0; round < 5; round += 1) all += await guesses();
    expect(all).toBe(30);
    now += 301_000;
    expect(await guesses()).toBe(1);
  });
});

describe('an owner locked out on a new device', () => {
  it('LOAD-13 gets in through a link for a new password, however long others guess', async () => {
    const now = Date.parse('2026-05-04T08:00:00Z');
    await using server = await startServer({ now: () => now });
    await server.person('Dora');
    const email = 'dora@example.com';
    const enter = (address: string, secret: string) =>
      from(server, address, { path: '/user/token', body: { email, password: secret } });
    for (let count = 0; count < 31; count += 1) await enter(`203.0.113.${count}`, 'a guess');
    expect((await enter('198.51.100.9', password)).status).toBe(429);
    const out = await benchbook(
      server,
      'user',
      'reset-link',
      email,
      '--origin',
      'https://guides.example.org',
    );
    const body = { token: linkIn(out), password: own };
    expect((await from(server, '198.51.100.9', { path: '/users/reset_password/confirm', body })).status).toBe(
      204,
    );
    expect((await enter('198.51.100.9', own)).status).toBe(201);
    for (let count = 0; count < 40; count += 1) await enter(`203.0.113.${count}`, 'a guess');
    expect((await enter('203.0.113.200', own)).status).toBe(429);
    expect((await enter('198.51.100.9', own)).status).toBe(201);
    // A password set by an administrator lets them in again too.
    await benchbook(server, 'user', 'password', email);
    expect((await enter('203.0.113.201', own)).status).toBe(401);
  });

  it('LOAD-13 is recognised on the device where they registered', async () => {
    await using server = await startServer({ site: { public_registration: true } });
    const mira = await server.person('Mira', ['User', 'Admin']);
    const { appid } = await ok<{ appid: string }>(mira.call('POST', '/site/app_ids', { name: 'Phones' }));
    const email = 'new@example.com';
    const registered = await from(server, '198.51.100.9', {
      path: '/users',
      body: { email, username: 'New', password: own },
      headers: { 'x-app-id': appid },
    });
    expect(registered.status).toBe(201);
    const enter = (address: string, secret: string) =>
      from(server, address, {
        path: '/user/token',
        body: { email, password: secret },
        headers: { 'x-app-id': appid },
      });
    for (let count = 0; count < 31; count += 1) await enter(`203.0.113.${count}`, 'a guess');
    expect((await enter('203.0.113.200', own)).status).toBe(429);
    expect((await enter('198.51.100.9', own)).status).toBe(201);
  });
});

describe('a device on which a password was proved', () => {
  it('LOAD-13 is recognised, even if its owner has not signed in since the guessing began', async () => {
    await using server = await startServer();
    const emil = await server.person('Emil');
    const change = { location: 'Graz', current_password: password };
    const asked = { method: 'PATCH', path: profileOf(emil), body: change, headers: as(emil) } as const;
    expect((await from(server, '198.51.100.9', asked)).status).toBe(200);
    const enter = (address: string, secret: string) =>
      from(server, address, { path: '/user/token', body: { email: 'emil@example.com', password: secret } });
    for (let count = 0; count < 31; count += 1) await enter(`203.0.113.${count}`, 'a guess');
    expect((await enter('203.0.113.200', password)).status).toBe(429);
    expect((await enter('198.51.100.9', password)).status).toBe(201);
  });
});
