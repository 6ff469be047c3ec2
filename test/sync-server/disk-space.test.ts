import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DiskSpace, leastBytes, reserveBytes, reserveName } from '#server/storage/disk-space.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

const plenty = 1024 ** 3;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchbook-space-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('DISK-1 the reserve is made where there is room, and given back by a start without room', () => {
  let free = plenty;
  const space = new DiskSpace(folder, { log: pino({ level: 'silent' }), now: () => 0, free: () => free });
  space.keepReserve();
  expect(statSync(join(folder, reserveName)).size).toBe(reserveBytes);
  const next = new DiskSpace(folder, { log: pino({ level: 'silent' }), now: () => 0, free: () => free });
  next.begin();
  expect(existsSync(join(folder, reserveName))).toBe(true);
  free = 0;
  next.begin();
  expect(existsSync(join(folder, reserveName))).toBe(false);
  next.keepReserve();
  expect(existsSync(join(folder, reserveName))).toBe(false);
  free = plenty;
  next.mustHaveRoom();
  expect(existsSync(join(folder, reserveName))).toBe(true);
});

test('DISK-2 DISK-3 a server with a full disk starts and reads, refuses every write with words, and goes on once there is room', async () => {
  let token: string;
  {
    await using server = await startServer({ dataDir: folder });
    await server.category('Bench Grinder');
    const ana = await server.person('Ana');
    await makeGuide(ana);
    ({ token } = ana);
  }
  let free = 0;
  await using server = await startServer({ dataDir: folder, freeBytes: () => free });
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { Authorization: `api ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const guide = { category: 'Bench Grinder', type: 'repair', title: 'New' };
  for (const path of ['/api/2.0/guides', '/sync/1/bootstrap', '/api/2.0/categories'])
    expect({ path, status: (await call('GET', path)).status }).toEqual({ path, status: 200 });
  const refused = await call('POST', '/api/2.0/guides', guide);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'disk-full' });
  expect(await (await call('GET', '/readyz')).json()).toMatchObject({ code: 'disk-full' });
  free = leastBytes - 1;
  expect((await call('POST', '/api/2.0/guides', guide)).status).toBe(503);
  free = plenty;
  await expect.poll(async () => (await call('POST', '/api/2.0/guides', guide)).status).toBe(201);
  expect((await call('GET', '/readyz')).status).toBe(200);
});
