import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { auditActions, type AuditEntry } from '#shared/model/audit.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';
import { listAudit, type AuditFilter } from '#server/features/audit/list.ts';
import { policies } from '#server/storage/audit/policies.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { startMailServer } from '#test/support/mail-server.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { onPostgres } from '#test/support/postgres-databases.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { written } from '#test/support/written.ts';

function rowsOf(server: TestServer, filter: AuditFilter = {}): Promise<AuditEntry[]> {
  return listAudit(server.services.storage.reader, filter, { limit: 1000, offset: 0, order: 'asc' });
}

async function lastOf(server: TestServer, filter: AuditFilter = {}): Promise<AuditEntry> {
  return must((await rowsOf(server, filter)).at(-1), 'a row of the audit log');
}

test('AUDIT-1 every table is recorded or states why not, and a write without a named writer is refused', async () => {
  await using server = await startServer();
  const { storage } = server.services;
  const tables = await storage.reader.introspection.getTables();
  const known = tables
    .map((one) => one.name)
    // Leases of nodes are no records, and are not written by pieces of work.
    .filter((name) => !name.startsWith('search_index') && name !== 'leases')
    .toSorted();
  expect(known).toEqual(Object.keys(policies).toSorted());
  await expect(storage.writer.insertInto('tags').values({ name: 'unsaid' }).execute()).rejects.toThrow(
    'outside of storage.write',
  );
  expect(await storage.reader.selectFrom('tags').selectAll().execute()).toEqual([]);
});

test('AUDIT-1 a failed write leaves neither an effect nor a row', async () => {
  await using server = await startServer();
  const before = await rowsOf(server);
  const failing = written(server.services, async (tx) => {
    await tx.insertInto('tags').values({ name: 'of the failed one' }).execute();
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await rowsOf(server)).toEqual(before);
});

test('AUDIT-2 a row says who did what when, from which address, and to which version of which record', async () => {
  let now = Date.UTC(2026, 4, 4, 8, 0, 0, 250);
  await using server = await startServer({ now: () => now });
  const ana = await server.person('Ana');
  await server.category('Bench Grinder');
  const guide = await makeGuide(ana);
  const made = await lastOf(server, { action: 'POST /guides' });
  expect(made).toMatchObject({
    userid: ana.userid,
    name: 'Ana',
    object: 'guide',
    objectid: String(guide.guideid),
  });
  now += 1000;
  const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  expect((await ana.call('PATCH', path, { title: 'Another belt' })).status).toBe(200);
  const row = await lastOf(server);
  expect(row).toMatchObject({
    time: '2026-05-04T08:00:01.250Z',
    userid: ana.userid,
    name: 'Ana',
    impersonator: null,
    action: 'PATCH /guides/{guideid}',
    outcome: 'done',
    object: 'guide',
    objectid: String(guide.guideid),
    address: '127.0.0.1',
  });
  expect(row.revision_after).toBeGreaterThan(must(row.revision_before, 'the version before'));
});

test('AUDIT-2 the administrator behind an impersonation is named', async () => {
  await using server = await startServer();
  const ben = await server.person('Ben');
  const mira = await server.person('Mira', ['User', 'Admin']);
  const { body } = await mira.call('POST', '/user/token/impersonate', { userid: ben.userid });
  const token = (body as { authToken: string }).authToken;
  const response = await fetch(`${server.url}/api/2.0/users/${ben.userid}`, {
    method: 'PATCH',
    headers: { Authorization: `api ${token}` },
    body: JSON.stringify({ location: 'Graz' }),
  });
  expect(response.status).toBe(200);
  expect(await lastOf(server)).toMatchObject({ userid: ben.userid, name: 'Ben', impersonator: mira.userid });
});

test('AUDIT-3 old and new values are recorded, also for deleted records', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await ana.call('PATCH', `/users/${ana.userid}`, { location: 'Graz' });
  await ana.call('PATCH', `/users/${ana.userid}`, { location: 'Linz' });
  expect((await lastOf(server)).changes).toContainEqual({
    table: 'users',
    op: 'update',
    key: { userid: ana.userid },
    old: { location: 'Graz' },
    new: { location: 'Linz' },
  });
  await server.category('Bench Grinder');
  const guide = await makeGuide(ana);
  const favorite = `/user/favorites/guides/${guide.guideid}`;
  await ana.call('PUT', favorite);
  await ana.call('DELETE', favorite);
  const key = { userid: ana.userid, guideid: guide.guideid };
  expect((await lastOf(server)).changes).toEqual([
    { table: 'favorites', op: 'delete', key, old: { ...key, date: expect.any(Number) } },
  ]);
});

test('AUDIT-3 no password, token or secret enters the log', async () => {
  await using server = await startServer({ resolve: async () => ['93.184.215.14'] });
  const mira = await server.person('Mira', ['User', 'Admin']);
  const secrets = ['a password of its own', 'secret-of-smtp', 'key-of-translation', 'join-code-of-team'];
  const [password = '', smtp = '', key = '', code = ''] = secrets;
  const registered = await mira.call('POST', '/users', {
    email: 'new@example.com',
    username: 'New',
    password,
    current_password: 'a long password',
  });
  secrets.push((registered.body as { authToken: string }).authToken);
  await mira.call('PATCH', `/users/${mira.userid}`, {
    password: `${password} 2`,
    current_password: 'a long password',
  });
  const settings = { host: 'mail.example.org', user: 'a', from: 'a@example.org' };
  const address = 'https://guides.example.org';
  const site = await mira.call('PATCH', '/site', {
    current_password: `${password} 2`,
    address,
    smtp: { ...settings, password: smtp },
    translation: { url: 'https://translate.example.org', key },
  });
  expect(site.status).toBe(200);
  await mira.call('PATCH', '/site', {
    current_password: `${password} 2`,
    smtp: { ...settings, password: `${smtp} 2` },
  });
  const [smtpChange] = (await lastOf(server, { action: 'PATCH /site' })).changes;
  expect(JSON.parse(String(smtpChange?.new?.['value']))).toMatchObject({ smtp: { password: '[hidden]' } });
  const team = await mira.call('POST', '/teams', { name: 'Line 1', join_code: code });
  expect(team.status).toBe(201);
  await fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    body: JSON.stringify({ email: 'mira@example.com', password: 'wrong password typed' }),
  });
  secrets.push('wrong password typed', mira.token);
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  const log = JSON.stringify(await rowsOf(server));
  for (const secret of [...secrets, ...hashes]) expect(log).not.toContain(secret);
  expect(log).not.toContain('argon2');
});

test('AUDIT-4 failed sign-ins are recorded without what was typed', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const tryAs = (email: string) =>
    fetch(`${server.url}/api/2.0/user/token`, {
      method: 'POST',
      body: JSON.stringify({ email, password: 'not the password' }),
    });
  expect((await tryAs('ana@example.com')).status).toBe(401);
  expect(await lastOf(server)).toMatchObject({
    action: 'POST /user/token',
    outcome: 'refused',
    object: 'user',
    objectid: String(ana.userid),
    userid: null,
    changes: [{ facts: { failures: 1 } }],
  });
  expect((await tryAs('my secret typed as a name')).status).toBe(401);
  const unknown = await lastOf(server);
  expect(unknown).toMatchObject({ outcome: 'refused', object: '', objectid: '' });
  expect(JSON.stringify(unknown)).not.toContain('my secret');
});

test('AUDIT-4 from the tenth failed attempt on, the server log warns and administrators get an e-mail', async () => {
  const mail = await startMailServer();
  const logged: string[] = [];
  const smtp = { host: '127.0.0.1', port: mail.port, tls: false, user: 'guides', password: 'canary-smtp' };
  {
    await using server = await startServer({
      log: memoryLog(logged),
      now: () => Date.UTC(2026, 4, 4, 8),
      site: { address: 'https://guides.example.org', smtp: { ...smtp, from: 'guides@example.org' } },
    });
    await server.person('Mira', ['User', 'Admin']);
    const ana = await server.person('Ana');
    for (let tries = 0; tries < 11; tries += 1)
      await fetch(`${server.url}/api/2.0/user/token`, {
        method: 'POST',
        body: JSON.stringify({ email: 'ana@example.com', password: 'canary typed' }),
      });
    await server.services.mailer.idle();
    expect(mail.mails.map((one) => one.to)).toEqual([['mira@example.com']]);
    expect(mail.mails[0]?.text).toContain(`user ${ana.userid}`);
    const warned = logged.filter((line) => line.includes('repeated failed attempts'));
    expect(warned).toHaveLength(1);
    expect(await rowsOf(server, { outcome: 'refused' })).toHaveLength(10);
  }
  expect(logged.join('\n')).not.toContain('canary typed');
  await mail.close();
});

test('AUDIT-4 reads, refusals and replays are not recorded', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const ben = await server.person('Ben', ['User']);
  await server.category('Bench Grinder');
  const guide = await makeGuide(ana);
  const key = { 'Idempotency-Key': 'favorite-0001' };
  await ana.call('PUT', `/user/favorites/guides/${guide.guideid}`, undefined, key);
  const before = await rowsOf(server);
  await ana.call('GET', `/guides/${guide.guideid}`);
  const again = await ana.call('PUT', `/user/favorites/guides/${guide.guideid}`, undefined, key);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const refused = await ben.call('PATCH', `/guides/${guide.guideid}?revisionid=1`, { title: 'No' });
  expect(refused.status).toBeGreaterThanOrEqual(403);
  const stale = await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=1`, { title: 'Stale' });
  expect(stale.status).toBe(409);
  expect(await rowsOf(server)).toEqual(before);
});

test('AUDIT-5 rows cannot be changed, removed or replaced, and only the next number can be added', async () => {
  await using server = await startServer();
  const row = await server.services.storage.reader
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', '=', 1)
    .executeTakeFirstOrThrow();
  const refused = 'The audit log can only be added to';
  for (const work of [
    () => written(server.services, (tx) => tx.updateTable('audit_log').set({ name: 'Nobody' }).execute()),
    () => written(server.services, (tx) => tx.deleteFrom('audit_log').where('seq', '=', 1).execute()),
    () =>
      written(server.services, (tx) => {
        const values = { ...row, name: 'Nobody' };
        // PostgreSQL has no REPLACE.
        return onPostgres()
          ? tx
              .insertInto('audit_log')
              .values(values)
              .onConflict((conflict) => conflict.column('seq').doUpdateSet({ name: 'Nobody' }))
              .execute()
          : tx.replaceInto('audit_log').values(values).execute();
      }),
    () =>
      written(server.services, (tx) =>
        tx
          .insertInto('audit_log')
          .values({ ...row, seq: 1000 })
          .execute(),
      ),
  ])
    await expect(work()).rejects.toThrow(refused);
});

test('AUDIT-7 the end of the log is noted outside the database, and the log is checked against the note', async () => {
  await using server = await startServer();
  await server.person('Ana');
  const { storage, anchors } = server.services;
  expect(existsSync(join(server.dataDir, 'audit-anchors'))).toBe(true);
  const report = await verifyAudit(storage.reader, anchors);
  expect(report.findings).toEqual([]);
  expect(report.anchored?.seq).toBeGreaterThan(0);
  expect(readFileSync(join(server.dataDir, 'audit-anchors'), 'utf8')).not.toContain(
    readFileSync(join(server.dataDir, 'audit-key'), 'utf8').trim(),
  );
  expect(await rowsOf(server, { action: auditActions.key })).toHaveLength(1);
});

test('AUDIT-10 changes by jobs and by the server itself are recorded under their names', async () => {
  await using server = await startServer({ site: { name: 'Line 1' } });
  const [first] = await rowsOf(server);
  expect(first).toMatchObject({ action: 'migrate', name: 'Server', userid: null });
  const settings = await lastOf(server, { object: 'meta' });
  expect(settings).toMatchObject({ name: 'Server', userid: null, objectid: 'site' });
});

test('AUDIT-12 a page is found in the log by its number, whatever happened to it and however it was named', async () => {
  await using server = await startServer();
  const mira = await server.person('Mira', ['User', 'Admin']);
  const made = await mira.call('POST', '/wikis', {
    namespace: 'INFO',
    title: 'Lockout',
    contents: 'Lock it.',
  });
  const { wikiid, revisionid } = made.body as Wiki;
  const page = '/wikis/INFO/Lockout';
  for (const [method, path, body] of [
    ['PUT', `${page}/tag`, { tag: 'safety' }],
    ['DELETE', `${page}/tag`, { tag: 'safety' }],
    ['DELETE', `${page}?revisionid=${revisionid}`, undefined],
  ] as const)
    expect((await mira.call(method, path, body)).status).toBeLessThan(300);
  const rows = (await mira.call('GET', `/audit?object=wiki&objectid=${wikiid}`)).body as AuditEntry[];
  expect(rows.map(({ action }) => action)).toEqual([
    'DELETE /wikis/{namespace}/{title}',
    'DELETE /wikis/{namespace}/{title}/tag',
    'PUT /wikis/{namespace}/{title}/tag',
    'POST /wikis',
  ]);
  expect(JSON.stringify(rows[0])).toContain('"title":"Lockout"');
});
