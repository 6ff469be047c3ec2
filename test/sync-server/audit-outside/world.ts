import { expect } from 'vitest';

import type { AuditHead } from '#shared/model/audit.ts';
import { webhookMessage } from '#shared/model/webhook.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { changeSite } from '#server/core/site.ts';
import type { AuditSyslog, AuditTimestamp } from '#server/core/site-settings.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { startSyslogReceiver, type SyslogReceiver } from '#test/support/syslog-receiver.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';
import { written } from '#test/support/written.ts';

import { startReceiver } from '../webhook-receiver.ts';

export const minute = 60_000;
export const hour = 60 * minute;

export const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
export const logged: string[] = [];
export let server: TestServer;
export let mira: TestPerson;
let hook: Awaited<ReturnType<typeof startReceiver>>;
export let syslog: SyslogReceiver;
export let authority: TimestampAuthority;

export async function startWorld(): Promise<void> {
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
}
export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
  await syslog[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
  await hook.close();
}

/** Advances the clock by an hour; authorities stamp seconds. */
export function passHour(): void {
  clock.now += hour;
}

/** Makes the server report its head, which has changed. */
export async function tell(): Promise<{ seq: number; hash: string }> {
  await addRow(`row at ${clock.now}`);
  passHour();
  await server.heads.look();
  return headOf(server.services.storage.reader);
}

/** Messages to the webhook about a row. */
export function hooked(event: string, seq: number): unknown[] {
  return hook.received
    .map(({ body }) => webhookMessage.parse(JSON.parse(body)))
    .filter((message) => message.event === event)
    .map(({ data }) => data)
    .filter((data) => (data as AuditHead).seq === seq);
}

/** Ends all reporting, and forgets what was reported. */
export async function silence(): Promise<void> {
  authority.faults = {};
  await changeSite(server.services, { audit_syslog: null, audit_timestamp: null });
  syslog.messages.length = logged.length = hook.received.length = 0;
}

export const receiver = (
  transport: AuditSyslog['transport'],
  change: Partial<AuditSyslog> = {},
): AuditSyslog => ({
  transport,
  host: 'localhost',
  port: syslog.ports[transport],
  certificates: transport === 'tls' ? [syslog.certificate] : [],
  private: true,
  ...change,
});

export const stamping = (change: Partial<AuditTimestamp> = {}): AuditTimestamp => ({
  url: authority.url,
  certificates: [authority.vouching],
  private: true,
  ...change,
});

/** Heads in the log of the server, oldest first. */
export function loggedHeads(lines: readonly string[] = logged): unknown[] {
  return lines.map((line) => JSON.parse(line) as { audit?: unknown }).flatMap(({ audit }) => audit ?? []);
}

/** Adds a row to the log. */
export async function addRow(name: string): Promise<void> {
  await written(server.services, (tx) => tx.insertInto('tags').values({ name }).execute());
}

export const benchbook = (...args: string[]): Promise<Ran> => runCommand([...args, '--data', server.dataDir]);
