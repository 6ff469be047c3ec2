import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { logFiles, makeLog } from '#server/platform/log.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

test('LOG-1 values under names of credentials are hidden, also in nested objects', () => {
  const lines: string[] = [];
  const log = memoryLog(lines);
  const secrets = {
    authorization: 'api s3cret',
    cookie: 's3cret',
    password: 's3cret',
    current_password: 's3cret',
    token: 's3cret',
    sign_on_token: 's3cret',
    authToken: 's3cret',
    device_key: 's3cret',
    secret: 's3cret',
    api_key: 's3cret',
  };
  log.warn(secrets, 'at the top');
  log.warn({ body: secrets, request: { headers: secrets } }, 'below');
  log.child(secrets).warn({ userid: 7 }, 'bound');
  log.child({ reqId: 'a' }).warn({ query: secrets }, 'of a child');
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toContain('s3cret');
  expect(lines.join('')).toContain('"token":"[hidden]"');
  expect(lines[2]).toContain('"userid":7');
});

test('LOG-2 an error is logged with kind, message, place and code, and no attached data', () => {
  const lines: string[] = [];
  const log = memoryLog(lines);
  const cause = Object.assign(new Error('The relay said no'), { recipient: 's3cret' });
  const error = Object.assign(new TypeError('It failed', { cause }), {
    code: 'EENVELOPE',
    config: { headers: { authorization: 's3cret' } },
    rejected: ['s3cret'],
  });
  log.error({ err: error }, 'an e-mail could not be sent');
  log.error({ err: { token: 's3cret' } }, 'no error at all');
  log.error(error);
  expect(lines.join('')).not.toContain('s3cret');
  for (const line of [lines[0], lines[2]])
    expect(JSON.parse(line ?? '')).toMatchObject({
      err: {
        type: 'TypeError',
        code: 'EENVELOPE',
        message: 'It failed: The relay said no',
        stack: expect.stringContaining('log.test.ts'),
      },
    });
});

test('LOG-3 even at the most verbose level the log has no address, header or body of a request, failed ones included', async () => {
  const lines: string[] = [];
  await using server = await startServer({ log: memoryLog(lines, 'debug') });
  const headers = {
    Cookie: 'session=s3cret',
    Authorization: 'api s3cret',
    'Content-Type': 'application/json',
  };
  const address = `${server.url}/api/2.0/users/self?token=s3cret`;
  const body = JSON.stringify({ email: 's3cret@example.com', password: 's3cret' });
  await fetch(address, { headers });
  await fetch(`${server.url}/reset-password?token=s3cret`);
  await fetch(`${server.url}/play/s3cret/launch.json`);
  await fetch(`${server.url}/api/2.0/user/token?token=s3cret`, { method: 'POST', headers, body });
  await fetch(`${server.url}/api/2.0/user/token`, { method: 'POST', headers, body: `${body}s3cret` });
  // From here on no token can be looked up: these requests are answered with 500.
  await sql`ALTER TABLE tokens RENAME TO elsewhere`.execute(server.services.storage.writer);
  const failed = await fetch(address, { headers });
  expect(failed.status).toBe(500);
  expect((await fetch(`${server.url}/sync/1/pull?token=s3cret`, { headers })).status).toBe(500);
  // The framework logs a request itself if an error handler fails.
  server.app.log.error({ req: { method: 'GET', url: '/play/s3cret/', headers } }, 'failed');
  server.app.log.error({ req: { method: 'GET', raw: { url: 's3cret' } }, err: new Error('x') });
  await soon(() => lines.filter((line) => line.includes('"msg":"request"')).length).toBe(7);
  expect(lines.filter((line) => line.includes('s3cret'))).toEqual([]);
  expect(lines.filter((line) => line.includes('"msg":"request failed"'))).toHaveLength(2);
});

test('LOG-4 log files have a bounded size, are private, and only the newest ones stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-log-'));
  try {
    const file = join(folder, 'logs', 'server');
    const files = (): string[] =>
      readdirSync(join(folder, 'logs')).filter((name) => name.startsWith('server.'));
    const log = makeLog('info', await logFiles(file, '1k'));
    log.info({ number: 0 }, 'first line');
    for (let number = 1; number <= 600; number += 1) {
      log.info({ number }, 'a line of the log');
      // The next file is opened in the background.
      if (number % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await soon(() => files().length).toBeGreaterThan(5);
    await soon(() => files().length).toBeLessThanOrEqual(31);
    for (const name of files()) {
      const facts = statSync(join(folder, 'logs', name));
      expect(facts.size).toBeLessThan(64 * 1024);
      if (process.platform !== 'win32') expect(facts.mode & 0o077).toBe(0);
    }
    const current = join(folder, 'logs', 'current.log');
    expect(lstatSync(current).isSymbolicLink()).toBe(true);
    // A line is in the file at once, so that nothing is missing when the process ends.
    log.info('last line');
    const all = files().map((name) => readFileSync(join(folder, 'logs', name), 'utf8'));
    expect(all.join('')).toContain('last line');
    expect(existsSync(current)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('LOG-5 a log that cannot be written does not stop the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-log-'));
  try {
    const destination = await logFiles(join(folder, 'server.log'));
    const log = makeLog('info', destination);
    // As the disk reports it when it is full.
    const emit = Reflect.get(destination, 'emit') as (event: string, error: Error) => void;
    emit.call(destination, 'error', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    log.info('the next line');
    const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('server.'));
    expect(readFileSync(join(folder, name), 'utf8')).toContain('the next line');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('LOG-4 old files are removed at the start too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchbook-log-'));
  try {
    for (let day = 1; day <= 40; day += 1) {
      const path = join(folder, `server.2026-10-${String(day).padStart(2, '0')}.1.log`);
      writeFileSync(path, '');
      utimesSync(path, day, day);
    }
    writeFileSync(join(folder, 'server.notes'), '');
    await logFiles(join(folder, 'server.log'));
    const left = readdirSync(folder);
    expect(left).toContain('server.notes');
    expect(left).toContain('server.2026-10-40.1.log');
    expect(left).not.toContain('server.2026-10-01.1.log');
    expect(left.filter((name) => /^server\.\d/.test(name))).toHaveLength(30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
