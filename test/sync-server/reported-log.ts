import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import type { AuditHead, StampedAuditHead } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import type { AuditReport } from '#server/features/audit/verify.ts';
import type { StoredHead } from '#server/features/audit/heads.ts';
import type { AuditRow } from '#server/storage/audit/recorder.ts';
import { changeSite } from '#server/core/site.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { copyDataFolder } from '#test/support/raw-database.ts';
import { startServer } from '#test/support/server.ts';
import { startSyslogReceiver } from '#test/support/syslog-receiver.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';

import { benchbook, chained, rowsOf, seal, store } from './forged-log.ts';

const hour = 3600_000;

export let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The data folder after the server stopped. */
export let data: string;
let authority: TimestampAuthority;
export let rows: AuditRow[];
/** Reported heads, oldest first. */
export let told: AuditHead[];
/** Files stored elsewhere, each with every head. */
export let kept: Record<'log' | 'syslog' | 'webhooks' | 'stamps' | 'export' | 'certificate', string>;

/** A server reports three heads through every channel, and then adds some rows without reporting them. */
export async function startReportedLog(): Promise<void> {
  folder = await temporaryFolder('audit-against');
  data = join(folder.path, 'data');
  authority = await TimestampAuthority.start();
  const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
  authority.now = () => clock.now;
  const logged: string[] = [];
  await using receiver = await startSyslogReceiver();
  const server = await startServer({ dataDir: data, now: () => clock.now, log: memoryLog(logged) });
  await changeSite(server.services, {
    audit_syslog: {
      transport: 'tcp',
      host: '127.0.0.1',
      port: receiver.ports.tcp,
      certificates: [],
      private: true,
    },
    audit_timestamp: { url: authority.url, certificates: [authority.vouching], private: true },
  });
  const mira = await server.person('Mira', ['User', 'Admin']);
  // No webhook listens: its messages are read from the outbox.
  await mira.call('POST', '/webhooks', {
    url: 'https://93.184.215.14/',
    events: ['audit.head', 'audit.stamped'],
  });
  const work = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      await mira.call('PATCH', `/users/${mira.userid}`, { location: `Bay ${clock.now} ${time}` });
  };
  for (let head = 0; head < 3; head += 1) {
    await work(8);
    clock.now += hour;
    await server.heads.look();
  }
  const messages = [...receiver.messages];
  const bodies = await server.services.storage.reader
    .selectFrom('webhook_events')
    .select('body')
    .where('event', 'in', ['audit.head', 'audit.stamped'])
    .execute();
  // The last head, at the stop, is missing in the stored files.
  const lines = [...logged];
  await work(5);
  await server[Symbol.asyncDispose]();
  const heads = lines.map((line) => JSON.parse(line) as { audit?: AuditHead | StampedAuditHead });
  told = heads.flatMap(({ audit }) => (audit === undefined || 'token' in audit ? [] : audit));
  const stamped = heads.flatMap(({ audit }) => (audit !== undefined && 'token' in audit ? audit : []));
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  kept = {
    log: file('server.log', `Benchbook is ready at http://127.0.0.1:4020\n${lines.join('')}`),
    // In the format of a receiver: with its own prefix, among other lines.
    syslog: file(
      'syslog',
      ['May  4 cron[7]: run', ...messages.map(({ text }) => `May  4 ${text}`)].join('\n'),
    ),
    webhooks: file('hooks.jsonl', bodies.map(({ body }) => body).join('\n')),
    stamps: file('head.tsr', Buffer.from(must(stamped.at(-1), 'a stamp').token, 'base64')),
    export: join(folder.path, 'audit.jsonl'),
    certificate: file('root.pem', authority.vouching),
  };
  rows = await rowsOf(data);
  await benchbook(data, 'export', kept.export, '--json', '--until', told.at(-1)?.time ?? '');
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(rows.length).toBeGreaterThan(must(told.at(-1), 'the last head').seq);
}

export async function endReportedLog(): Promise<void> {
  await authority[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
}

/** A copy of the data folder in which an attacker with every key replaced the log. */
export async function forged(
  name: string,
  change: (list: AuditRow[]) => readonly AuditRow[],
): Promise<string> {
  const copy = join(folder.path, name);
  await copyDataFolder(data, copy);
  const list = chained(change(structuredClone(rows)));
  await store(copy, list);
  await seal(copy, list);
  return copy;
}

export const report = async (dataDir: string, ...args: string[]): Promise<AuditReport> =>
  JSON.parse((await benchbook(dataDir, 'verify', '--json', ...args)).out) as AuditReport;

/** A reported head in the form that is compared. */
export const keptHead = ({ seq, hash, server, time }: AuditHead): StoredHead => ({
  place: `head ${seq}`,
  seq,
  hash,
  server,
  time,
  token: null,
});

export const lastTold = (): AuditHead => must(told.at(-1), 'the last head');

/** Changes of a log, for `forged`. */
export const attacks: Record<string, (list: AuditRow[]) => readonly AuditRow[]> = {
  'cutting the newest rows': (list) => list.slice(0, lastTold().seq - 1),
  'cutting all but the first rows': (list) => list.slice(0, 4),
  'cutting, and other rows in the place of the ones cut': (list) =>
    list.map((row) => (row.seq > 12 ? { ...row, action: 'GET /nothing', changes: '[]' } : row)),
  'another name in one row, with right hashes': (list) =>
    list.map((row) => (row.seq === 9 ? { ...row, name: 'Nobody' } : row)),
  'leaving one row out, with right hashes': (list) => list.filter(({ seq }) => seq !== 9),
  'putting one row in, with right hashes': (list) => [
    ...list.slice(0, 9),
    must(list[8], 'a row'),
    ...list.slice(9),
  ],
  'another last row that was told': (list) =>
    list.map((row) => (row.seq === lastTold().seq ? { ...row, at: row.at + 1 } : row)),
};
