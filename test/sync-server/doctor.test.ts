import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Finding } from '#server/features/health/finding.ts';
import { changeBackupState } from '#server/features/backup/state.ts';
import { runCli } from '#server/cli/program.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';
import { changeSite } from '#server/core/site.ts';
import { examine } from '#server/features/health/examine.ts';
import { keepFolderPrivate } from '#server/storage/private-folder.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
const hourMs = 3_600_000;

let root: string;
let made: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'benchbook-doctor-'));
  made = join(root, 'made');
  await using server = await startServer({ dataDir: made, now: () => now });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  for (let count = 0; count < 40; count += 1) await makeGuide(ana);
  const answer = await fetch(`${server.url}/api/2.0/user/media/documents?file=a.txt`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
    body: 'Torque: 25 Nm',
  });
  expect(answer.ok).toBe(true);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let dataDir: string;
beforeEach(() => {
  dataDir = join(root, 'data');
  cpSync(made, dataDir, { recursive: true });
  keepFolderPrivate(dataDir, { whole: true });
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function found(at = now): Promise<Record<string, Finding>> {
  const findings = await examine({ dataDir, certFile: undefined, now: at, isThorough: false });
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

const levelOf = async (check: string, at = now): Promise<string | undefined> =>
  (await found(at))[check]?.level;

test('DOCTOR-1 a sound data folder has no errors but those of what was never set up', async () => {
  const levels = Object.values(await found()).map(({ check, level }) => [check, level]);
  expect(Object.fromEntries(levels)).toEqual({
    permissions: 'ok',
    disk: expect.stringMatching(/ok|warning/) as string,
    wal: 'ok',
    'server-key': 'ok',
    database: 'ok',
    version: 'ok',
    clock: 'ok',
    audit: 'ok',
    files: 'ok',
    'unused-files': 'ok',
    certificate: 'warning',
    mail: 'warning',
    'sign-on': 'ok',
    'backup-age': 'error',
    'backup-proof': 'warning',
  });
});

test('what other accounts could read is an error', async () => {
  chmodSync(join(dataDir, databaseName), 0o644);
  expect((await found())['permissions']).toMatchObject({
    level: 'error',
    message: expect.stringContaining(`Other accounts of this machine can open ${databaseName}`) as string,
  });
});

test('a missing or damaged server key is an error', async () => {
  rmSync(join(dataDir, keyFileName));
  expect(await levelOf('server-key')).toBe('error');
  writeFileSync(join(dataDir, keyFileName), 'none', { mode: 0o600 });
  expect(await levelOf('server-key')).toBe('error');
});

test('a damaged database is an error, wherever it is damaged, and the rest is checked all the same', async () => {
  const path = join(dataDir, databaseName);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  const whole = readFileSync(path);
  const pages = whole.length / 4096;
  let missed = 0;
  for (let round = 1; round < 40; round += 1) {
    const damaged = Buffer.from(whole);
    // A page of zeros or of noise, as a failing disk leaves it.
    const page = (round * 13) % pages;
    damaged.fill(round % 2 === 0 ? 0 : 0xa5, page * 4096, page * 4096 + 4096);
    writeFileSync(path, damaged);
    const after = await found();
    if (after['database']?.level !== 'error') missed += 1;
    expect(after['disk']).toBeDefined();
  }
  // Pages that nothing uses, and pages of text where every byte may stand, cannot be told by SQLite.
  expect(missed).toBeLessThan(12);
});

test('a clock that went back is an error', async () => {
  expect(await levelOf('clock', now - 24 * hourMs)).toBe('error');
  expect((await found(now - 48 * hourMs))['clock']?.message).toContain('2 days behind');
});

test('a file that a record names and that is missing is an error', async () => {
  const [name = ''] = readdirSync(join(dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter(
    (one) => /[0-9a-f]{64}$/.test(one),
  );
  rmSync(join(dataDir, 'media', name));
  expect((await found())['files']).toMatchObject({
    level: 'error',
    message: expect.stringContaining(name.replaceAll('\\', '/')) as string,
  });
});

test('a cut audit log is an error', async () => {
  const database = new BetterSqlite3(join(dataDir, databaseName));
  for (const name of database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_log'")
    .pluck()
    .all() as string[])
    database.exec(`DROP TRIGGER "${name}"`);
  database.exec('DELETE FROM audit_log WHERE seq > 3');
  database.close();
  expect(await levelOf('audit')).toBe('error');
});

test('a backup that is too old, failed or was never proved is told with its age', async () => {
  const backup = { name: 'x', findings: [], files: 1, bytes: 1 };
  await changeBackupState(dataDir, { lastBackup: { ...backup, at: now - 20 * hourMs } });
  expect((await found())['backup-age']).toMatchObject({
    level: 'ok',
    message: 'The last backup was made 20 hours ago.',
  });
  await changeBackupState(dataDir, { lastBackup: { ...backup, at: now - 72 * hourMs } });
  expect((await found())['backup-age']).toMatchObject({
    level: 'error',
    message: 'The last backup was made 3 days ago.',
  });
  await changeBackupState(dataDir, {
    lastProof: { at: now - hourMs, name: 'x', findings: ['The database is damaged.'] },
  });
  expect((await found())['backup-proof']).toMatchObject({ level: 'error' });
  await changeBackupState(dataDir, { lastProof: { at: now - hourMs, name: 'x', findings: [] } });
  expect((await found())['backup-proof']).toMatchObject({ level: 'ok' });
});

test('certificates, mail server and identity provider are tried as they are set', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ended = selfSigned(keys, 'ended.example.org', '20261120000000Z');
  const soon = selfSigned(keys, 'soon.example.org', '20261205000000Z');
  const file = join(root, 'cert.pem');
  const certificate = async (pem: string): Promise<string | undefined> => {
    writeFileSync(file, pem);
    const all = await examine({ dataDir, certFile: file, now, isThorough: false });
    return all.find(({ check }) => check === 'certificate')?.level;
  };
  expect(await certificate(ended)).toBe('error');
  expect(await certificate(soon)).toBe('warning');
  expect(await certificate(selfSigned(keys, 'long.example.org'))).toBe('ok');
  expect(await certificate('none')).toBe('error');
  const mails = await startMailServer();
  {
    await using server = await startServer({ dataDir, now: () => now });
    await changeSite(server.services, {
      ...mailedBy(mails),
      sign_on: {
        entry_point: 'https://login.example.org',
        certificates: [ended],
        issuer: null,
        idp_issuer: null,
        attribute: null,
        sign_in_name: null,
        match_email: false,
        email_attribute: null,
        create_accounts: false,
        name_attribute: null,
      },
    });
  }
  const first = await found();
  expect(first['mail']?.level).toBe('ok');
  expect(first['sign-on']?.level).toBe('error');
  await mails.close();
  expect((await found())['mail']).toMatchObject({ level: 'error' });
});

test('DOCTOR-10 the command ends with 1 for an error, says what to do, and answers in JSON', async () => {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    env: {},
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    input: async () => '',
  };
  expect(await runCli(['doctor', '--data', dataDir], terminal)).toBe(1);
  expect(out.join('\n')).toMatch(
    /ERROR +backup-age +There is no backup\.\n +Start the server with --backup DIR/,
  );
  out.length = 0;
  expect(await runCli(['doctor', '--data', join(root, 'nowhere'), '--json'], terminal)).toBe(1);
  expect(JSON.parse(out.join('\n'))).toMatchObject({ findings: [{ check: 'database', level: 'error' }] });
  expect(err).toEqual([]);
});
