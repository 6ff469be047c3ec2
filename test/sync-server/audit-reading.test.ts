import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { auditActions } from '#desktop/engine/actions/audit.ts';
import { auditPageSize } from '#desktop/engine/api/audit.ts';
import type { AuditEntry } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { coreOf } from '#test/support/person-core.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let server: TestServer;
let mira: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  mira = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana', ['User']);
  for (const location of ['Graz', 'Linz', '=1+1, "quoted"'])
    await ana.call('PATCH', `/users/${ana.userid}`, { location });
});
afterAll(() => server[Symbol.asyncDispose]());

const benchbook = (args: string[]): Promise<Ran> => runCommand([...args, '--data', server.dataDir]);

test('AUDIT-9 administrators read the log in pages, newest first, filtered by person, action, record, outcome and time', async () => {
  const all = await mira.call('GET', '/audit?limit=2');
  expect(all.headers.get('link')).toContain('rel="next"');
  const [first, second] = all.body as AuditEntry[];
  expect(must(first, 'a row').seq).toBe(must(second, 'a row').seq + 1);
  const count = async (query: string): Promise<number> =>
    Number((await mira.call('GET', `/audit?${query}`)).headers.get('x-total-count'));
  expect(await count(`userid=${ana.userid}`)).toBe(3);
  expect(
    await count(`action=${encodeURIComponent('PATCH /users/{userid}')}&object=user&userid=${ana.userid}`),
  ).toBe(3);
  expect(await count(`object=user&objectid=${mira.userid}`)).toBe(0);
  expect(await count(`outcome=refused&userid=${ana.userid}`)).toBe(0);
  expect(await count('until=1')).toBe(0);
  expect(await count('from=1')).toBe(await count(''));
  expect((await ana.call('GET', '/audit')).status).toBe(403);
  expect((await mira.call('GET', '/audit?outcome=odd')).status).toBe(422);
});

test('AUDIT-9 CLI-15 the command line lists and exports complete copies as CSV and JSON lines', async () => {
  const listed = await benchbook(['audit', 'list', '--user', String(ana.userid), '--json']);
  const rows = JSON.parse(listed.out) as AuditEntry[];
  expect(rows).toHaveLength(3);
  expect((await benchbook(['audit', 'list', '--object', `user:${ana.userid}`])).out.split('\n')).toHaveLength(
    3,
  );
  await using folder = await temporaryFolder('audit-export');
  const csv = join(folder.path, 'audit.csv');
  expect(await benchbook(['audit', 'export', csv])).toMatchObject({ code: 0, err: '' });
  const text = readFileSync(csv, 'utf8');
  expect(text.startsWith('seq,time,userid,name,')).toBe(true);
  for (const { hash } of rows) expect(text).toContain(hash);
  expect(text).toContain('Linz');
  const lines = join(folder.path, 'audit.jsonl');
  await benchbook(['audit', 'export', lines, '--user', String(ana.userid), '--json']);
  const exported = readFileSync(lines, 'utf8').trim().split('\r\n');
  expect(exported.map((line) => JSON.parse(line) as AuditEntry)).toEqual(rows.toReversed());
  expect(await benchbook(['audit', 'export', csv])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already'),
  });
  expect(await benchbook(['audit', 'list', '--since', 'yesterday'])).toMatchObject({ code: 1 });
});

test('AUDIT-10 changes made by a command are recorded with its name and the person who typed it', async () => {
  await benchbook(['site', 'set', 'title', 'Line 1']);
  const [row] = JSON.parse(
    (await benchbook(['audit', 'list', '--limit', '1', '--json'])).out,
  ) as AuditEntry[];
  expect(row).toMatchObject({ action: 'benchbook site set', object: 'meta', objectid: 'site', userid: null });
  expect(row?.name).toMatch(/^Command line \(.+\)$/);
});

test('AUDIT-6 CLI-15 the command line reports a sound log, or names the faulty row and exits with 1', async () => {
  const sound = await benchbook(['audit', 'verify']);
  expect(sound).toMatchObject({ code: 0, err: '' });
  expect(sound.out).toContain('Every row fits the hashes in the data folder.');
  await using raw = await openRaw(server.dataDir);
  const [row] = await raw.run('SELECT name FROM audit_log WHERE seq = 3');
  const rename = (to: string): Promise<unknown> =>
    raw.past(() => raw.run(`UPDATE audit_log SET name = '${to}' WHERE seq = 3`));
  await rename('Nobody');
  const broken = await benchbook(['audit', 'verify']);
  expect(broken).toMatchObject({ code: 1, err: '' });
  expect(broken.out).toContain('Row 3 was changed');
  const told = JSON.parse((await benchbook(['audit', 'verify', '--json'])).out) as {
    findings: { seq: number }[];
  };
  expect(told.findings.map((one) => one.seq)).toEqual([3]);
  await rename(String(row?.['name']));
  expect((await benchbook(['audit', 'verify'])).code).toBe(0);
});

test('SIGN-ON-6 CLI-15 the command line configures an identity provider and removes it', async () => {
  await using folder = await temporaryFolder('sign-on');
  const file = join(folder.path, 'idp.pem');
  const provider = new IdentityProvider();
  writeFileSync(file, provider.certificate);
  const set = ['sign-on', 'set', '--entry-point', provider.entryPoint, '--certificate', file];
  expect(await benchbook(set)).toMatchObject({ code: 1, err: expect.stringContaining('address') });
  await benchbook(['site', 'set', 'address', 'https://guides.example.org']);
  expect(await benchbook(set)).toMatchObject({
    code: 0,
    out: expect.stringContaining('/api/2.0/sign_on/assertions'),
  });
  expect((await benchbook(['sign-on', 'metadata'])).out).toContain('EntityDescriptor');
  expect(await benchbook(['sign-on', 'off'])).toMatchObject({ code: 0 });
  expect(await benchbook(['sign-on', 'metadata'])).toMatchObject({ code: 1 });
});

test('AUDIT-9 AUDIT-8 CLI-15 the app reads pages of the log, and shows whether it continued where it had ended', async () => {
  const app = auditActions(coreOf(server, mira));
  const found = await app.readAudit({ userid: ana.userid, action: 'PATCH /users/{userid}' }, 0);
  expect(found.total).toBe(3);
  expect(found.entries.map(({ seq }) => seq)).toEqual(
    found.entries.map(({ seq }) => seq).toSorted((a, b) => b - a),
  );
  const ben = await server.person('Ben', ['User']);
  for (let more = 0; more < auditPageSize; more += 1)
    await ben.call('PATCH', `/users/${ben.userid}`, { location: `Row ${more}` });
  const [first, second] = [await app.readAudit({}, 0), await app.readAudit({}, 1)];
  expect(first.entries).toHaveLength(auditPageSize);
  expect(must(second.entries[0], 'a row').seq).toBe(must(first.entries.at(-1), 'a row').seq - 1);
  expect(first.total).toBe(second.total);
  expect(await app.readAuditGap()).toBeNull();
  await server.services.storage.write(
    { userid: null, name: 'Server', action: 'audit gap' },
    async (_, note) => {
      note.outcome = 'done';
      note.object = { kind: 'audit', id: '' };
    },
  );
  expect(await app.readAuditGap()).toBe((await app.readAudit({ action: 'audit gap' }, 0)).entries[0]?.seq);
  expect(await benchbook(['audit', 'acknowledge', 'A backup was restored'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('says why'),
  });
  expect(await app.readAuditGap()).toBeNull();
});
