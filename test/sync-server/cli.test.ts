import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { AppId, SiteRecord } from '#shared/model/site.ts';
import type { Webhook } from '#shared/model/webhook.ts';
import { databaseIn, type Ran, runCommand } from '#test/support/command-line.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await server.person('Mira', ['User', 'Admin']);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs a command on the data folder of the running server. */
const benchbook = (args: string[], input = ''): Promise<Ran> =>
  runCommand([...args, '--data', server.dataDir], input);

const json = async <T>(args: string[]): Promise<T> =>
  JSON.parse((await benchbook([...args, '--json'])).out) as T;
const info = async (): Promise<Record<string, unknown>> =>
  (await fetch(`${server.url}/api/2.0/sites/info`)).json() as Promise<Record<string, unknown>>;

async function signIn(email: string, password: string, appid?: string): Promise<number> {
  const response = await fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    ...(appid === undefined ? {} : { headers: { 'X-App-Id': appid } }),
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

// The tests depend on each other: the commands change one site in turn.
describe('the command line', { shuffle: false }, () => {
  it('CLI-1 changes settings while the server runs, and the server applies them', async () => {
    const set = await benchbook([
      'site',
      'set',
      'title',
      'Workshop guides',
      'languages',
      'en,de',
      'private',
      'true',
    ]);
    expect(set).toEqual({
      code: 0,
      out: 'title is now Workshop guides.\nlanguages is now en,de.\nprivate is now true.',
      err: '',
    });
    await soon(info).toMatchObject({ title: 'Workshop guides', languages: ['en', 'de'], private: true });
    expect((await fetch(`${server.url}/api/2.0/guides`)).status).toBe(401);
    expect((await benchbook(['site', 'get', 'title'])).out).toBe('Workshop guides');
    await benchbook(['site', 'set', 'private', 'false']);
    await soon(async () => (await fetch(`${server.url}/api/2.0/guides`)).status).toBe(200);
  });

  it('CLI-2 configures mail step by step, reads secrets from standard input and never shows them', async () => {
    const words = [
      'address',
      'https://guides.example.org',
      'smtp.host',
      'mail.example.org',
      'smtp.from',
      'a@example.org',
    ];
    expect((await benchbook(['site', 'set', ...words])).code).toBe(0);
    const secret = await benchbook(
      ['site', 'set', 'smtp.port', '465', 'smtp.tls', 'true', 'smtp.password', '-'],
      '1234\n',
    );
    expect(secret.out).toBe('smtp.port is now 465.\nsmtp.tls is now true.\nsmtp.password is stored.');
    const shown = await json<SiteRecord>(['site', 'get']);
    expect(shown.smtp).toEqual({
      host: 'mail.example.org',
      port: 465,
      tls: true,
      user: null,
      has_password: true,
      from: 'a@example.org',
    });
    await soon(() => server.services.site.smtp?.password).toBe('1234');
    expect((await benchbook(['site', 'get'])).out).toMatch(/^smtp\.has_password +true$/m);
    await benchbook(['site', 'set', 'smtp', 'none']);
    expect((await json<SiteRecord>(['site', 'get'])).smtp).toBeNull();
  });

  it('CLI-3 refuses with a clear sentence, exits with 1, and changes nothing', async () => {
    const before = await json<SiteRecord>(['site', 'get']);
    const refusals: [string[], RegExp][] = [
      [
        ['site', 'set', 'colour', 'red'],
        /^colour: there is no such setting; "benchbook site get" lists them$/,
      ],
      [['site', 'set', 'private', 'maybe'], /^private: Must be true or false/],
      [['site', 'set', 'title', 'x', 'guide_types', 'cooking'], /^guide_types\.0: /],
      [['site', 'set', 'langid', 'fr'], /^languages: The languages must include the source language fr$/],
      [['site', 'set', 'title', 'a', 'name'], /^name: give each name a value$/],
      [['user', 'disable', 'mira'], /^The last administrator cannot step down$/],
      [['user', 'password', 'nobody'], /^Account nobody not found$/],
      [['webhook', 'delete', '77'], /^Webhook not found$/],
      [
        ['webhook', 'create', 'http://127.0.0.1/', '--events', 'guide.edited'],
        /^url: 127\.0\.0\.1 is in a private/,
      ],
      [['appid', 'revoke', 'unknown'], /^App id unknown not found$/],
    ];
    for (const [args, words] of refusals) {
      const ran = await benchbook(args);
      expect([ran.code, ran.out], args.join(' ')).toEqual([1, '']);
      expect(ran.err).toMatch(words);
    }
    expect(await json<SiteRecord>(['site', 'get'])).toEqual(before);
    const refused = await benchbook(['site', 'set', 'colour', 'red', '--json']);
    expect(JSON.parse(refused.err)).toEqual({
      error: true,
      messages: ['colour: there is no such setting; "benchbook site get" lists them'],
    });
  });

  it('CLI-4 creates accounts, sets passwords, disables and enables accounts', async () => {
    const made = await json<{ userid: number; password: string }>([
      'user',
      'create',
      '--email',
      'Noor@example.com',
      '--name',
      'Noor Haddad',
      '--privileges',
      'Author',
    ]);
    expect(await signIn('noor@example.com', made.password)).toBe(201);
    const set = await benchbook(
      ['user', 'password', 'noorhaddad', '--password-stdin'],
      'a quite long password\n',
    );
    expect(set.out).toBe(
      `Account ${made.userid} has a new password, and all its sessions have ended. It cannot sign approvals until its owner chooses a password.`,
    );
    expect(await signIn('noor@example.com', made.password)).toBe(401);
    expect(await signIn('noor@example.com', 'a quite long password')).toBe(201);
    expect((await benchbook(['user', 'password', 'noorhaddad', '--password-stdin'], 'short\n')).err).toBe(
      'password: Use at least 10 characters',
    );
    expect((await benchbook(['user', 'disable', 'noor@example.com'])).code).toBe(0);
    expect(await signIn('noor@example.com', 'a quite long password')).toBe(401);
    expect((await benchbook(['user', 'list'])).out).toMatch(
      /Noor Haddad +noorhaddad +noor@example\.com +User,Author .* closed$/m,
    );
    await benchbook(['user', 'enable', String(made.userid)]);
    expect(await signIn('noor@example.com', 'a quite long password')).toBe(201);
    const taken = await benchbook(['user', 'create', '--email', 'noor@example.com', '--name', 'Noor']);
    expect([taken.code, taken.err]).toEqual([
      1,
      'email: This e-mail address has an account already, or had one',
    ]);
  });

  it('CLI-5 issues and revokes app ids', async () => {
    const issued = await json<AppId>(['appid', 'issue', 'Tablet app']);
    await benchbook(['site', 'set', 'public_registration', 'true']);
    await soon(() => signIn('mira@example.com', 'a long password')).toBe(400);
    expect(await signIn('mira@example.com', 'a long password', issued.appid)).toBe(201);
    expect((await benchbook(['appid', 'list'])).out).toMatch(/^[0-9a-f]{32} .* in use +Tablet app$/);
    await benchbook(['appid', 'revoke', issued.appid]);
    expect(await signIn('mira@example.com', 'a long password', issued.appid)).toBe(400);
    await benchbook(['site', 'set', 'public_registration', 'false']);
  });

  it('CLI-6 adds, changes, tests and deletes webhooks', async () => {
    await benchbook(['site', 'set', 'private_networks', '127.0.0.1/32']);
    const made = await json<Webhook>([
      'webhook',
      'create',
      'http://127.0.0.1:1/',
      '--events',
      'guide.edited,comment.added',
    ]);
    expect(made.secret).toMatch(/^bbwh_/);
    await soon(() => server.services.site.private_networks).toEqual(['127.0.0.1/32']);
    expect((await benchbook(['webhook', 'test', String(made.webhookid)])).code).toBe(0);
    const tried = async (): Promise<string> =>
      (await benchbook(['webhook', 'deliveries', String(made.webhookid)])).out;
    await soon(tried).toMatch(
      /webhook\.test +waiting +1 tries +The receiver could not be reached \(ECONNREFUSED\)$/,
    );
    await benchbook(['webhook', 'edit', String(made.webhookid), '--disable', '--description', 'Chat']);
    const list = await benchbook(['webhook', 'list']);
    expect(list.out).toMatch(
      /disabled +1 waiting +0 given up +guide\.edited,comment\.added +http:\/\/127\.0\.0\.1:1\/ +Chat$/,
    );
    expect(list.out).not.toContain('bbwh_');
    const changed = await json<Webhook>(['webhook', 'secret', String(made.webhookid)]);
    expect(changed.secret).toMatch(/^bbwh_/);
    expect(changed.secret).not.toBe(made.secret);
    expect((await benchbook(['webhook', 'replay', String(made.webhookid)])).out).toBe(
      '0 of them are tried again.',
    );
    expect((await benchbook(['webhook', 'delete', String(made.webhookid)])).code).toBe(0);
    expect((await benchbook(['webhook', 'list'])).out).toBe('There are no webhooks.');
  });

  it('CLI-7 explains every command, and exits with 2 for an unknown one', async () => {
    const help = await benchbook(['--help']);
    expect(help.code).toBe(0);
    for (const word of ['site', 'user', 'appid', 'webhook', '--data', '--json', 'Ends with 0'])
      expect(help.out).toContain(word);
    expect((await benchbook(['webhook', 'create', '--help'])).out).toContain('work_order.status_changed');
    expect((await benchbook(['site', 'set', '--help'])).out).toContain('benchbook site set languages en,de');
    for (const args of [['paint'], ['site', 'set'], ['user', 'create'], ['site', 'get', '--colour']])
      expect((await benchbook(args)).code, args.join(' ')).toBe(2);
  });

  it('CLI-8 runs as a program, and creates no data folder by mistake', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'benchbook-empty-'));
    const run = promisify(execFile);
    const program = [join(root, 'sync-server/cli/benchbook.ts')];
    const got = await run(process.execPath, [...program, 'site', 'get', 'title'], {
      env: { ...process.env, BENCHBOOK_DATA: server.dataDir, ...(await databaseIn(server.dataDir)) },
    });
    expect(got.stdout).toBe('Workshop guides\n');
    const failed = await run(process.execPath, [...program, 'user', 'list', '--data', empty]).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: `There is no Benchbook data in ${empty}. Start Benchbook once, or name its folder with --data.\n`,
    });
    rmSync(empty, { recursive: true });
  });

  it('CLI-11 completes the command even if nobody reads its output', async () => {
    const program = [join(root, 'sync-server/cli/benchbook.ts'), '--data', server.dataDir];
    const child = spawn(process.execPath, [...program, 'site', 'set', 'description', 'Hall 2'], {
      env: { ...process.env, ...(await databaseIn(server.dataDir)) },
    });
    child.stdout.destroy();
    const complaints = streamText(child.stderr);
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, await complaints]).toEqual([0, '']);
    expect((await benchbook(['site', 'get', 'description'])).out).toBe('Hall 2');
  });
});
