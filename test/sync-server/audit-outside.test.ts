import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { auditHead, stampedAuditHead } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { headText } from '#server/features/audit/heads.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { readStamp, verifyStamp } from '#server/features/audit/timestamp.ts';
import { changeSite } from '#server/core/site.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

import { testCommands } from './audit-outside/commands.ts';
import { testTimeStamps } from './audit-outside/time-stamps.ts';
import {
  addRow,
  authority,
  benchbook,
  clock,
  endWorld,
  hooked,
  hour,
  logged,
  loggedHeads,
  minute,
  passHour,
  receiver,
  server,
  silence,
  stamping,
  startWorld,
  syslog,
  tell,
} from './audit-outside/world.ts';

// All tests share one server with its receivers.
beforeAll(startWorld);
afterAll(endWorld);
beforeEach(silence);

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

testTimeStamps();
testCommands();
