import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { written } from '#test/support/written.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const logged: string[] = [];
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;
let names = 0;

beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer({ now: () => clock.now, log: memoryLog(logged), site: { private: true } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await mail.close();
});
beforeEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  await server.services.mailer.idle();
  clock.now += 2 * 3600_000;
  logged.length = 0;
  mail.mails.length = 0;
  await useMail();
});

async function useMail(): Promise<void> {
  await changeSite(server.services, mailedBy(mail));
}

async function post(
  path: string,
  body: unknown,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method: 'POST',
    headers: { Host: 'evil.example' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const ask = (email: string) => post('/users/reset_password', { email });
const confirm = (token: string, password: string) =>
  post('/users/reset_password/confirm', { token, password });
const signIn = async (email: string, password: string): Promise<number> =>
  (await post('/user/token', { email, password })).status;

async function person(): Promise<{ email: string; call: (path: string) => Promise<number>; userid: number }> {
  names += 1;
  const made = await server.person(`Reset${names}`);
  return {
    email: `reset${names}@example.com`,
    userid: made.userid,
    call: async (path) => (await made.call('GET', path)).status,
  };
}

const tokenIn = (text: string | undefined): string =>
  /https:\/\/guides\.example\.org\/reset-password\?token=([\w-]{43})/.exec(text ?? '')?.[1] ?? '';

async function tokenFor(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200);
  await soon(() => mail.mails.length).toBe(1);
  return tokenIn(mail.mails[0]?.text);
}

describe('a forgotten password', () => {
  it('PASSWORD-RESET-1 the link in an e-mail sets a new password and ends every session', async () => {
    const ana = await person();
    const token = await tokenFor(ana.email.toUpperCase());
    expect(mail.mails[0]).toMatchObject({ to: [ana.email], user: 'guides' });
    expect(await ana.call('/user')).toBe(200);
    expect((await confirm(token, 'another long password')).status).toBe(204);
    expect(await ana.call('/user')).toBe(401);
    expect(await signIn(ana.email, 'a long password')).toBe(401);
    expect(await signIn(ana.email, 'another long password')).toBe(201);
    expect(logged.join('')).not.toContain(token);
  });

  it('PASSWORD-RESET-2 the response is the same whether or not the address has an account', async () => {
    const ana = await person();
    const known = await ask(ana.email);
    const unknown = await ask('nobody@example.com');
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(unknown.body).toEqual(known.body);
    const names = (headers: Headers): string[] =>
      [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted();
    expect(names(unknown.headers)).toEqual(names(known.headers));
    await soon(() => mail.mails.length).toBe(1);
    await server.services.mailer.idle();
    expect(mail.mails.map(({ to }) => to)).toEqual([[ana.email]]);
    expect((await post('/users/reset_password', {})).status).toBe(422);
  });

  it('PASSWORD-RESET-3 an address without an account writes the same rows', async () => {
    const count = async (): Promise<number> =>
      (await server.services.storage.reader.selectFrom('password_resets').select('token_hash').execute())
        .length;
    const before = await count();
    await ask('nobody-at-all@example.com');
    expect(await count()).toBe(before + 1);
  });

  it('PASSWORD-RESET-4 the link works once, for an hour, and only unchanged', async () => {
    const ana = await person();
    const token = await tokenFor(ana.email);
    expect((await confirm(token, 'short')).status).toBe(422);
    expect((await confirm(`${token.slice(0, -1)}_`, 'another long password')).status).toBe(422);
    expect((await confirm(token, 'another long password')).status).toBe(204);
    expect(await confirm(token, 'a third long password')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'token' }] },
    });
    // The owner is notified that it was used.
    await soon(() => mail.mails.length).toBe(2);
    expect(mail.mails[1]).toMatchObject({
      to: [ana.email],
      text: expect.stringContaining('changed by the person who opened a password reset link'),
    });
    mail.mails.length = 0;
    const late = await tokenFor(ana.email);
    clock.now += 3600_000;
    expect((await confirm(late, 'a third long password')).status).toBe(422);
    expect(await signIn(ana.email, 'another long password')).toBe(201);
  });

  it('PASSWORD-RESET-5 the link is stored as a hash', async () => {
    const ana = await person();
    const token = await tokenFor(ana.email);
    const rows = await server.services.storage.reader.selectFrom('password_resets').selectAll().execute();
    expect(rows.some((row) => row.userid === ana.userid)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('PASSWORD-RESET-6 three links an hour are allowed per account, and twenty per address', async () => {
    const ana = await person();
    const statuses: number[] = [];
    for (const email of [ana.email, ana.email, ana.email, ana.email])
      statuses.push((await ask(email)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const unknown: number[] = [];
    for (let count = 0; count < 4; count += 1) unknown.push((await ask('ghost@example.com')).status);
    expect(unknown).toEqual([200, 200, 200, 429]);
    clock.now += 1000;
    const refused = await ask(ana.email);
    expect(refused.headers.get('Retry-After')).toBe('3599');
    const others: number[] = [];
    for (let count = 0; count < 15; count += 1) others.push((await ask(`other${count}@example.com`)).status);
    expect(others).toEqual([...Array.from({ length: 14 }, () => 200), 429]);
    clock.now += 3600_000;
    expect((await ask(ana.email)).status).toBe(200);
  });

  it('PASSWORD-RESET-7 without a mail server, the log explains what to do without the link, and the response is the same', async () => {
    const known = await ask((await person()).email);
    await changeSite(server.services, { smtp: null });
    const ana = await person();
    expect(await ask(ana.email)).toMatchObject({ status: 200, body: known.body });
    await soon(() => logged.length).toBe(1);
    expect(logged[0]).toContain('benchbook user reset-link');
    for (const secret of ['token=', 'reset-password', ana.email]) expect(logged[0]).not.toContain(secret);
    await ask('nobody@example.com');
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged).toHaveLength(1);
  });

  it('PASSWORD-RESET-8 a failing mail server is logged without address and link', async () => {
    await changeSite(server.services, {
      smtp: {
        host: '127.0.0.1',
        port: 1,
        tls: false,
        user: null,
        password: null,
        from: 'guides@example.org',
      },
    });
    const ana = await person();
    expect((await ask(ana.email)).status).toBe(200);
    await soon(() => logged.length).toBe(1);
    expect(logged[0]).toContain('an e-mail could not be sent');
    expect(logged[0]).not.toContain(ana.email);
    expect(logged[0]).not.toContain('token=');
  });

  it('PASSWORD-RESET-8 a refusal by the mail server is logged without the address that its response repeats', async () => {
    const ana = await person();
    mail.refuses = ana.email;
    expect((await ask(ana.email)).status).toBe(200);
    await soon(() => logged.length).toBe(1);
    expect(logged[0]).toContain('No such mailbox');
    expect(logged[0]?.toLowerCase()).not.toContain(ana.email);
    expect(logged[0]).not.toContain('token=');
  });

  it('PASSWORD-RESET-9 a disabled account gets no link', async () => {
    const ana = await person();
    const token = await tokenFor(ana.email);
    await written(server.services, (tx) =>
      tx.updateTable('users').set({ enabled: 0 }).where('userid', '=', ana.userid).execute(),
    );
    expect((await confirm(token, 'another long password')).status).toBe(422);
    mail.mails.length = 0;
    expect((await ask(ana.email)).status).toBe(200);
    await server.services.mailer.idle();
    expect(mail.mails).toEqual([]);
  });
});
