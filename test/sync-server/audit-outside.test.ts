import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { auditHead, stampedAuditHead, type AuditHead } from '#shared/model/audit.ts';
import { webhookMessage } from '#shared/model/webhook.ts';
import { must } from '#shared/must.ts';
import { headText } from '#server/features/audit/heads.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { readStamp, requestStamp, verifyStamp } from '#server/features/audit/timestamp.ts';
import { changeSite } from '#server/core/site.ts';
import type { AuditSyslog, AuditTimestamp } from '#server/core/site-settings.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { startSyslogReceiver, type SyslogReceiver } from '#test/support/syslog-receiver.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';
import { written } from '#test/support/written.ts';

import { startReceiver } from './webhook-receiver.ts';

const minute = 60_000;
const hour = 60 * minute;

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const logged: string[] = [];
let server: TestServer;
let mira: TestPerson;
let hook: Awaited<ReturnType<typeof startReceiver>>;
let syslog: SyslogReceiver;
let authority: TimestampAuthority;

beforeAll(async () => {
  hook = await startReceiver();
  syslog = await startSyslogReceiver();
  authority = await TimestampAuthority.start();
  authority.now = () => clock.now;
  server = await startServer({
    now: () => clock.now,
    log: memoryLog(logged),
    resolve: async () => ['127.0.0.1'],
    site: { private_networks: ['127.0.0.1/32'], address: 'https://guides.example.org' },
  });
  mira = await server.person('Mira', ['User', 'Admin']);
  const made = await mira.call('POST', '/webhooks', {
    url: `${hook.url}/`,
    events: ['audit.head', 'audit.stamped'],
  });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await syslog[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
  await hook.close();
});

/** Advances the clock by an hour; authorities stamp seconds. */
function passHour(): void {
  clock.now += hour;
}

/** Makes the server report its head, which has changed. */
async function tell(): Promise<{ seq: number; hash: string }> {
  await addRow(`row at ${clock.now}`);
  passHour();
  await server.heads.look();
  return headOf(server.services.storage.reader);
}

/** Messages to the webhook about a row. */
function hooked(event: string, seq: number): unknown[] {
  return hook.received
    .map(({ body }) => webhookMessage.parse(JSON.parse(body)))
    .filter((message) => message.event === event)
    .map(({ data }) => data)
    .filter((data) => (data as AuditHead).seq === seq);
}

beforeEach(async () => {
  authority.faults = {};
  await changeSite(server.services, { audit_syslog: null, audit_timestamp: null });
  syslog.messages.length = logged.length = hook.received.length = 0;
});

const receiver = (transport: AuditSyslog['transport'], change: Partial<AuditSyslog> = {}): AuditSyslog => ({
  transport,
  host: 'localhost',
  port: syslog.ports[transport],
  certificates: transport === 'tls' ? [syslog.certificate] : [],
  private: true,
  ...change,
});

const stamping = (change: Partial<AuditTimestamp> = {}): AuditTimestamp => ({
  url: authority.url,
  certificates: [authority.vouching],
  private: true,
  ...change,
});

/** Heads in the log of the server, oldest first. */
function loggedHeads(lines: readonly string[] = logged): unknown[] {
  return lines.map((line) => JSON.parse(line) as { audit?: unknown }).flatMap(({ audit }) => audit ?? []);
}

/** Adds a row to the log. */
async function addRow(name: string): Promise<void> {
  await written(server.services, (tx) => tx.insertInto('tags').values({ name }).execute());
}

const benchbook = (...args: string[]): Promise<Ran> => runCommand([...args, '--data', server.dataDir]);

test('AUDIT-13 at its default level, the server log has the head at start and stop', async () => {
  const lines: string[] = [];
  const other = await startServer({ log: memoryLog(lines) });
  await soon(() => loggedHeads(lines).length).toBeGreaterThan(0);
  await other.person('Ana');
  await changeSite(other.services, { audit_syslog: receiver('tcp', { host: '127.0.0.1' }) });
  const { seq, hash } = await headOf(other.services.storage.reader);
  const { id } = await other.services.identity.key();
  await other[Symbol.asyncDispose]();
  const heads = loggedHeads(lines).map((head) => auditHead.parse(head));
  expect(heads.at(-1)).toMatchObject({ seq, hash, server: id });
  expect(syslog.messages.map(({ text }) => text)).toEqual([
    expect.stringContaining(`: ${seq}, hash ${hash}, server ${id}`),
  ]);
});

test('AUDIT-13 the server log has the head at every level except silent', async () => {
  for (const level of ['fatal', 'error', 'silent']) {
    const lines: string[] = [];
    const other = await startServer({ log: memoryLog(lines, level) });
    await other[Symbol.asyncDispose]();
    expect(loggedHeads(lines).length > 0, level).toBe(level !== 'silent');
  }
});

test('AUDIT-13 the head is reported hourly while the log grows, and after 1,000 rows, at most once a minute', async () => {
  await tell();
  logged.length = 0;
  // The server also checks by itself; only the number reported so far counts.
  const told = async (): Promise<number> => {
    await server.heads.look();
    return loggedHeads().length;
  };
  await addRow('one more');
  clock.now += hour - 1000;
  expect(await told()).toBe(0);
  clock.now += 1000;
  expect(await told()).toBe(1);
  clock.now += 2 * hour;
  expect(await told()).toBe(1);
  for (let number = 0; number < 1000; number += 1) await addRow(`many ${number}`);
  expect(await told()).toBe(2);
  for (let number = 0; number < 1000; number += 1) await addRow(`more ${number}`);
  clock.now += minute - 1000;
  expect(await told()).toBe(2);
  clock.now += 1000;
  expect(await told()).toBe(3);
  const { seq, hash } = await headOf(server.services.storage.reader);
  expect(loggedHeads().at(-1)).toMatchObject({ seq, hash });
  await soon(() => hooked('audit.head', seq).length).toBe(1);
  // A clock set back does not prevent reporting.
  await addRow('the clock is set');
  clock.now -= 24 * hour;
  expect(await told()).toBe(4);
  clock.now += 24 * hour;
});

test.each(['udp', 'tcp', 'tls'] as const)(
  'AUDIT-13 the head reaches a webhook and a syslog receiver over %s',
  async (transport) => {
    await changeSite(server.services, { audit_syslog: receiver(transport) });
    const { seq, hash } = await tell();
    await soon(() => syslog.messages.length).toBe(1);
    await soon(() => hooked('audit.head', seq).length).toBe(1);
    const head = auditHead.parse(hooked('audit.head', seq)[0]);
    expect(head.hash).toBe(hash);
    const { over, text } = must(syslog.messages[0], 'the message');
    expect(over).toBe(transport);
    // RFC 5424: priority, version, time, host, program, process, kind, no structured data, text.
    expect(text).toMatch(
      /^<109>1 2026-\d\d-\d\dT[\d:.]+Z [\x21-\x7e]+ benchbook \d+ audit-head - Last entry/,
    );
    expect(text.endsWith(headText(head))).toBe(true);
  },
);

test('AUDIT-13 a time stamp of the head goes to the log and a webhook, and anyone can check it', async () => {
  await changeSite(server.services, { audit_timestamp: stamping() });
  const head = await tell();
  await soon(() => hooked('audit.stamped', head.seq).length).toBe(1);
  const stamped = stampedAuditHead.parse(loggedHeads().at(-1));
  expect(stamped).toMatchObject({ ...head, stamped: new Date(clock.now).toISOString() });
  expect(hooked('audit.stamped', head.seq)).toEqual([stamped]);
  const stamp = readStamp(Buffer.from(stamped.token, 'base64'));
  expect(stamp.hash).toBe(head.hash);
  await verifyStamp(stamp, [authority.own]);
});

test('AUDIT-13 a failing receiver gets the newest head later, and no write waits for it', async () => {
  const { services, heads } = server;
  // Nobody listens there, and the authority refuses.
  await changeSite(services, {
    audit_syslog: receiver('tcp', { port: 1 }),
    audit_timestamp: stamping(),
  });
  authority.faults = { status: 2 };
  await tell();
  const failures = (): { target: string; attempts: number; reason: string; level: number }[] =>
    logged.map((line) => JSON.parse(line) as never).filter(({ target }) => target !== undefined);
  expect(failures().map(({ target, attempts }) => [target, attempts])).toEqual(
    expect.arrayContaining([
      ['syslog', 1],
      ['timestamp', 1],
    ]),
  );
  for (const { level } of failures()) expect(level).toBe(40);
  const shown = await benchbook('audit', 'targets');
  expect(shown.out).toMatch(/syslog +tcp:\/\/localhost:1 .*failed 1 times since.*ECONNREFUSED/);
  expect(shown.out).toMatch(/timestamp .*failed 1 times since.*refused it \(status 2\)/);
  // Not before the retry time …
  await heads.look();
  expect(failures()).toHaveLength(2);
  // … and at least every hour, however often it failed.
  for (let attempts = 2; attempts < 14; attempts += 1) {
    passHour();
    await heads.look();
    expect(failures()).toHaveLength(2 * attempts);
  }
  await changeSite(services, { audit_syslog: receiver('tcp') });
  authority.faults = {};
  const { seq, hash } = await tell();
  await soon(() => syslog.messages.length).toBe(1);
  expect(must(syslog.messages[0], 'the message').text).toContain(`${seq}, hash ${hash}`);
  expect(loggedHeads().at(-1)).toMatchObject({ seq, token: expect.any(String) });
  expect((await benchbook('audit', 'targets')).out).not.toContain('failed');
});

test('AUDIT-13 a syslog receiver without a trusted certificate gets nothing', async () => {
  await changeSite(server.services, {
    audit_syslog: receiver('tls', { certificates: [authority.vouching] }),
  });
  await tell();
  await changeSite(server.services, { audit_syslog: receiver('tls', { host: 'another.example.org' }) });
  await tell();
  const reasons = logged
    .map((line) => JSON.parse(line) as { reason?: string })
    .flatMap(({ reason }) => reason ?? []);
  expect(reasons).toEqual([
    expect.stringMatching(/SIGNATURE|SELF_SIGNED|VERIFY/),
    expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
  ]);
  expect(syslog.messages).toEqual([]);
});

describe('AUDIT-15', () => {
  const hash = 'ab'.repeat(32);
  const stamp = (certificates: string[]) =>
    requestStamp(server.services.outbound, stamping({ certificates }), hash, {
      nonce: new Uint8Array([255, 0, 0, 1, 2, 3, 4, 5]),
      timeoutMs: 10_000,
    });

  test('AUDIT-15 a time stamp counts if it covers the hash, answers the request and has a trusted signer', async () => {
    for (const certificate of [authority.vouching, authority.own])
      expect((await stamp([certificate])).date).toEqual(new Date(clock.now));
  });

  test.each([
    ['another hash', { hash: true }, 'stamped another hash'],
    ['another nonce', { nonce: true }, 'nonce differs'],
    ['a refusal', { status: 2 }, 'refused it (status 2)'],
    ['a changed signature', { tampered: true }, 'signature is wrong'],
    ['a certificate for e-mail', { signer: 'another purpose' }, 'not one for time stamps'],
    ['an untrusted certificate', { signer: 'a stranger' }, 'not signed by a given certificate'],
    ['no reference to its certificate', { named: 'none' }, 'does not name its certificate'],
    ['a reference to another certificate', { named: 'another' }, 'does not name its certificate'],
  ] as const)('AUDIT-15 a time stamp with %s does not count', async (_, faults, words) => {
    authority.faults = faults;
    await expect(stamp([authority.vouching])).rejects.toThrow(words);
  });

  test('AUDIT-15 any changed byte of a time stamp is detected, unless the byte carries no meaning', async () => {
    const { token } = await stamp([authority.vouching]);
    const before = readStamp(token);
    for (let index = 0; index < token.length; index += 13) {
      const changed = Buffer.from(token);
      changed[index] = (changed[index] ?? 0) ^ 0x55;
      try {
        const after = readStamp(changed);
        await verifyStamp(after, [authority.vouching]);
        expect([after.hash, after.date, after.nonce], `byte ${index}`).toEqual([
          before.hash,
          before.date,
          before.nonce,
        ]);
      } catch (error) {
        expect(error, `byte ${index}`).toMatchObject({ name: 'BadStamp' });
      }
    }
  });

  test('AUDIT-15 OpenSSL accepts the same time stamps as this server', async (context) => {
    const openssl = (...args: string[]): string =>
      execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      openssl('ts', '-help');
    } catch {
      context.skip('OpenSSL is not installed here');
    }
    await using folder = await temporaryFolder('stamps');
    const [file, root] = [join(folder.path, 'head.tsr'), join(folder.path, 'root.pem')];
    writeFileSync(file, (await stamp([authority.vouching])).token);
    writeFileSync(root, authority.vouching);
    const checked = openssl('ts', '-verify', '-digest', hash, '-in', file, '-CAfile', root);
    expect(checked).toContain('Verification: OK');
  });

  test('AUDIT-15 a time stamp made by OpenSSL is read and checked', async () => {
    const fixtures = new URL('../fixtures/time-stamps/', import.meta.url);
    const token = readFileSync(new URL('openssl.tsr', fixtures));
    const vouching = readFileSync(new URL('root.pem', fixtures), 'utf8');
    const read = readStamp(token);
    expect(read.hash).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    await verifyStamp(read, [vouching]);
    await expect(verifyStamp(read, [authority.vouching])).rejects.toThrow(
      'not signed by a given certificate',
    );
  });
});

describe('AUDIT-16', () => {
  test('AUDIT-16 the command line sets the receivers, tries each immediately, and stores none that fails', async () => {
    await using folder = await temporaryFolder('targets');
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    };
    const root = file('root.pem', authority.vouching);
    const address = `tcp://127.0.0.1:${syslog.ports.tcp}`;
    const set = await benchbook('audit', 'syslog', address, '--private');
    expect(set).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('is told where the audit log ends'),
    });
    await soon(() => syslog.messages.length).toBe(1);
    const stamping = ['audit', 'timestamp', authority.url, '--certificate', root, '--private'];
    expect(await benchbook(...stamping)).toMatchObject({
      code: 0,
      out: expect.stringContaining('stamped row'),
    });
    const shown = await benchbook('audit', 'targets', '--json');
    expect(JSON.parse(shown.out)).toMatchObject([
      { target: 'syslog', address, told: { seq: expect.any(Number) } },
      { target: 'timestamp', address: authority.url, told: { seq: expect.any(Number) } },
    ]);
    authority.faults = { signer: 'a stranger' };
    for (const [args, words] of [
      [['syslog', 'tcp://127.0.0.1:1', '--private'], 'did not take the end of the audit log'],
      [['syslog', 'http://127.0.0.1'], 'Name the receiver by an address'],
      [['syslog', 'tcp://127.0.0.1:514/path', '--private'], 'Name the receiver by an address'],
      [['syslog', address, '--private', '--certificate', root], 'Certificates are for an address'],
      [['timestamp', authority.url, '--private', '--certificate', root], 'not signed by a given certificate'],
      [['timestamp', authority.url, '--private'], 'Name the certificate'],
      [
        ['timestamp', authority.url, '--private', '--certificate', file('x', 'x')],
        'holds no X.509 certificate',
      ],
    ] as const) {
      const refused = await benchbook('audit', ...args);
      expect(refused, words).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
    }
    expect((await benchbook('audit', 'targets', '--json')).out).toBe(shown.out);
    expect(await benchbook('audit', 'syslog', 'off')).toMatchObject({ code: 0 });
    expect(await benchbook('audit', 'timestamp', 'off')).toMatchObject({ code: 0 });
    expect((await benchbook('audit', 'targets')).out.match(/ off /g)).toHaveLength(2);
    const rows = await benchbook('audit', 'list', '--action', 'benchbook audit syslog', '--json');
    expect(JSON.stringify(JSON.parse(rows.out))).toContain('audit_syslog');
  });

  test('AUDIT-16 a private address is called only if the command line allowed it with --private', async () => {
    await using folder = await temporaryFolder('private');
    const root = join(folder.path, 'root.pem');
    writeFileSync(root, authority.vouching);
    await changeSite(server.services, { private_networks: [] });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0x7f.1', '2130706433'])
      for (const args of [
        ['syslog', `tcp://${host}:${syslog.ports.tcp}`],
        ['syslog', `udp://${host}:${syslog.ports.udp}`],
        ['timestamp', `http://${host}:${new URL(authority.url).port}/`, '--certificate', root],
      ])
        expect(await benchbook('audit', ...args), args.join(' ')).toMatchObject({
          code: 1,
          err: expect.stringMatching(/private network|cannot be found|never called/),
        });
    // A public name that later resolves to a private network is not called either.
    await changeSite(server.services, {
      audit_syslog: receiver('tcp', { private: false }),
      audit_timestamp: stamping({ private: false }),
    });
    const before = authority.requests.length;
    await tell();
    expect(logged.filter((line) => line.includes('private network'))).toHaveLength(2);
    expect(syslog.messages).toEqual([]);
    expect(authority.requests).toHaveLength(before);
    await changeSite(server.services, { private_networks: ['127.0.0.1/32'] });
  });

  test('AUDIT-16 API callers, including administrators, can neither read nor change nor end the reporting', async () => {
    const audit_syslog = receiver('tcp');
    await changeSite(server.services, { audit_syslog });
    for (const name of ['audit_syslog', 'auditSyslog', 'audit_timestamp', 'auditTimestamp'])
      expect((await mira.call('PATCH', '/site', { [name]: null })).status).toBe(422);
    expect((await mira.call('PATCH', '/site', { title: 'Line 2' })).status).toBe(200);
    expect(server.services.site.audit_syslog).toEqual(audit_syslog);
    expect(JSON.stringify((await mira.call('GET', '/site')).body)).not.toMatch(/syslog/i);
  });
});
