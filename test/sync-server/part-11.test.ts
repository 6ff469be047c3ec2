import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { listAudit } from '#server/features/audit/list.ts';
import { contextForJob } from '#server/core/job.ts';
import { createAccount } from '#server/features/users/store.ts';
import { runCommand } from '#test/support/command-line.ts';
import { openShop } from '#test/support/approvals.ts';
import { notShown, part11, readClaims, readReports } from '#test/support/part-11-claims.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('AUDIT-11 a claim of the 21 CFR Part 11 list counts only if tests for it ran and passed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-claims-'));
  try {
    const tests = `
      test('AUDIT-1 passes', () => undefined);
      test.each(['row', 'column'])('AUDIT-2 every %s is found', () => undefined);
      test.each([1, 2])('AUDIT-3 number %s is right', (number) => expect(number).toBe(1));
      test('AUDIT-4 fails', () => { throw new Error('as planned'); });
      test.skip('AUDIT-5 is skipped', () => undefined);
      test.todo('AUDIT-6 is to be written');
      test('AUDIT-7 is left out by name', () => undefined);`;
    writeFileSync(join(folder, 'claims.test.mjs'), tests);
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } };');
    const titles = tests.matchAll(/'(AUDIT-\d [^']+)'/g);
    const list = `words\n## Tests\n\n11.10(e)\n\n${[...titles].map(([, title]) => `- ${title}\n`).join('')}- AUDIT-8 is nowhere`;
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [
      vitest,
      'run',
      '--root',
      folder,
      '--reporter=json',
      '--outputFile=report.json',
      '-t',
      'AUDIT-[1-6]',
    ];
    await new Promise((resolve) => execFile(process.execPath, args, { cwd: folder }, resolve));
    const ended = readReports([readFileSync(join(folder, 'report.json'), 'utf8')]);
    expect(notShown(readClaims(list), ended)).toEqual([
      'AUDIT-3 number %s is right',
      'AUDIT-4 fails',
      'AUDIT-5 is skipped',
      'AUDIT-6 is to be written',
      'AUDIT-7 is left out by name',
      'AUDIT-8 is nowhere',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('AUDIT-11 every clause names tests; a whole run fails if one of them did not pass', () => {
  expect([...part11().keys()]).toEqual(['11.10(e)', '11.50', '11.70', '11.100', '11.200', '11.300']);
  for (const [clause, titles] of part11()) expect(titles.length, clause).toBeGreaterThan(1);
  expect(notShown(part11(), new Map())).toEqual([...part11().values()].flat());
});

const proof = { current_password: 'a long password' };

function signIn(server: TestServer, email: string, password: string): Promise<Response> {
  return fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  });
}

test('USER-8 identifiers of an account are never reused by another account', async () => {
  await using server = await startServer();
  const mira = await server.person('Mira', ['User', 'Admin']);
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  await mira.call('PATCH', `/users/${ana.userid}`, {
    sso_userid: 'ana@corp',
    current_password: 'a long password',
  });
  const renamed = {
    email: 'ana.new@example.com',
    unique_username: 'ana.new',
    sso_userid: 'ana.new@corp',
    ...proof,
  };
  expect((await mira.call('PATCH', `/users/${ana.userid}`, renamed)).status).toBe(200);
  for (const taken of [{ email: 'ana@example.com' }, { unique_username: 'ana' }, { sso_userid: 'ana@corp' }])
    expect(await mira.call('PATCH', `/users/${ben.userid}`, { ...taken, ...proof })).toMatchObject({
      status: 422,
      body: { errors: [{ field: Object.keys(taken)[0] }] },
    });
  const account = { username: 'Ana', email: 'ana@example.com', passwordHash: null, privileges: ['User'] };
  await expect(contextForJob(server.services, null, (ctx) => createAccount(ctx, account))).rejects.toThrow(
    'or had one',
  );
  // The account itself may return to its former value.
  expect(
    (await mira.call('PATCH', `/users/${ana.userid}`, { email: 'ana@example.com', ...proof })).status,
  ).toBe(200);
});

test('USER-9 a password older than the site allows can neither sign in nor sign until it is replaced', async () => {
  let now = Date.now();
  await using shop = await openShop({ now: () => now, site: { password_days: 90 } });
  const { server, tom, ana, mira } = shop;
  const guide = await shop.guide();
  await ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`);
  const { approval_requestid } = await shop.request(guide.guideid);
  const days = (count: number): void => void (now += count * 24 * 3600_000);
  // Sessions are extended by use.
  for (let month = 0; month < 4; month += 1) {
    days(22);
    await tom.call('GET', '/user');
    await mira.call('GET', '/user');
  }
  expect((await signIn(server, 'tom@example.com', 'a long password')).status).toBe(201);
  days(4);
  const old = await signIn(server, 'tom@example.com', 'a long password');
  expect(old.status).toBe(401);
  expect(await old.json()).toMatchObject({ message: expect.stringContaining('older than the 90 days') });
  expect(await shop.sign(tom, approval_requestid, 'review')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'password', message: expect.stringContaining('older than the 90 days') }] },
  });
  expect(
    (await tom.call('PATCH', `/users/${tom.userid}`, { password: 'a newer password', ...proof })).status,
  ).toBe(200);
  expect((await signIn(server, 'tom@example.com', 'a newer password')).status).toBe(201);
  const password = 'a newer password';
  expect((await shop.sign(tom, approval_requestid, 'review', { password })).status).toBe(200);
});

test('USER-9 a lost password or device is locked out immediately, and the log says by whom', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const benchbook = async (...args: string[]): Promise<number> =>
    (await runCommand([...args, '--data', server.dataDir])).code;
  expect((await ana.call('GET', '/user')).status).toBe(200);
  expect(await benchbook('user', 'password', 'ana@example.com')).toBe(0);
  expect((await ana.call('GET', '/user')).status).toBe(401);
  expect((await signIn(server, 'ana@example.com', 'a long password')).status).toBe(401);
  expect(await benchbook('user', 'disable', 'ana@example.com')).toBe(0);
  const rows = await listAudit(server.services.storage.reader, {}, { limit: 3, offset: 0 });
  expect(rows.map((row) => row.action)).toEqual([
    'benchbook user disable',
    'POST /user/token',
    'benchbook user password',
  ]);
  expect(rows[0]?.name).toContain('Command line');
  expect(JSON.stringify(rows[2]?.changes)).toContain('"password_hash":"[hidden]"');
});
