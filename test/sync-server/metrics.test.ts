import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { changeBackupState } from '#server/features/backup/state.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

const token = 'a token of sixteen characters'.replaceAll(' ', '-');

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ metricsToken: token });
  await server.category('Bench Grinder');
});
afterAll(() => server[Symbol.asyncDispose]());

async function metrics(headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/metrics`, { headers });
  return { status: answer.status, text: await answer.text() };
}

/** The value of a series, such as `benchbook_feed_head`. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('METRICS-1 requests are counted by method, route and status, and nothing in a label names a record or a person', async () => {
  const ana = await server.person('Ana');
  const guide = await makeGuide(ana);
  for (let count = 0; count < 3; count += 1)
    await fetch(`${server.url}/api/2.0/guides/${guide.guideid}?secret=canary`, {
      headers: { Authorization: `api ${ana.token}` },
    });
  await fetch(`${server.url}/api/2.0/canary-of-a-path`);
  const { text } = await metrics();
  expect(
    valueOf(
      text,
      'benchbook_http_requests_total{method="GET",route="/api/2.0/guides/:guideid",status="200"}',
    ),
  ).toBe(3);
  expect(text).not.toContain('canary');
  expect(text).not.toContain(ana.token);
  expect(valueOf(text, 'benchbook_feed_head')).toBeGreaterThan(0);
  expect(valueOf(text, 'benchbook_http_requests_open')).toBe(1);
  expect(valueOf(text, 'benchbook_database_damaged')).toBe(0);
});

test('METRICS-2 programs of this machine and those with the token read them, and nobody else learns of them', async () => {
  expect((await metrics()).status).toBe(200);
  for (const headers of [
    { 'X-Forwarded-For': '203.0.113.7' },
    { Forwarded: 'for=203.0.113.7' },
    { Via: '1.1 proxy' },
    { 'X-Forwarded-For': '127.0.0.1' },
  ])
    expect((await metrics(headers)).status).toBe(404);
  const far = { 'X-Forwarded-For': '203.0.113.7' };
  expect((await metrics({ ...far, Authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await metrics({ ...far, Authorization: `Bearer ${token}x` })).status).toBe(404);
  expect((await metrics({ Authorization: 'Bearer wrong' })).status).toBe(404);
});

test('METRICS-3 the age of the last backup and proof is there once there is one', async () => {
  expect(valueOf((await metrics()).text, 'benchbook_backup_age_seconds')).toBeUndefined();
  const at = server.services.now() - 3_600_000;
  const done = { at, name: 'x', findings: [] };
  await changeBackupState(server.dataDir, { lastBackup: { ...done, files: 1, bytes: 1 }, lastProof: done });
  const { text } = await metrics();
  expect(valueOf(text, 'benchbook_backup_age_seconds')).toBeCloseTo(3600, -2);
  expect(valueOf(text, 'benchbook_backup_proof_age_seconds')).toBeCloseTo(3600, -2);
  expect(valueOf(text, 'benchbook_backup_failed')).toBe(0);
});

test('the alert rules and the dashboard name metrics that exist', async () => {
  const folder = new URL('../../sync-server/packaging/monitoring/', import.meta.url);
  const text = ['alerts.yml', 'dashboard.json']
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const named = new Set([...text.matchAll(/\b(?:benchbook|process|nodejs)_[a-z_]+/g)].map(([name]) => name));
  const { text: served } = await metrics();
  const known = new Set([...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  expect(named.size).toBeGreaterThan(12);
  expect([...named].filter((name) => !known.has(name.replace(/_bucket$/, '')))).toEqual([]);
});
