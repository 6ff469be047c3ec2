import {
  copyFileSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { quickCheck } from '#server/features/health/integrity.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { mailedBy, startMailServer } from '#test/support/mail-server.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'benchbook-damaged-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Overwrites the pages of a table and its indexes, but for the first of each, with noise. */
function overwrite(path: string, table: string): void {
  const database = new BetterSqlite3(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pages = database
    .prepare(
      'SELECT pageno FROM dbstat WHERE name = ? OR name IN (SELECT name FROM sqlite_master WHERE tbl_name = ?)',
    )
    .pluck()
    .all(table, table) as number[];
  database.close();
  const file = openSync(path, 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
  closeSync(file);
}

async function workshop(): Promise<string> {
  await using server = await startServer({ dataDir });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  for (let count = 0; count < 5; count += 1) await makeGuide(ana);
  return ana.token;
}

test('HEALTH-1 a request that meets damage is told so, and from then on the server is not ready; what can be read is served', async () => {
  const mails = await startMailServer();
  const token = await workshop();
  overwrite(join(dataDir, databaseName), 'comments');
  await using server = await startServer({ dataDir, checked: false });
  await changeSite(server.services, mailedBy(mails));
  await server.person('Ada', ['Admin']);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const headers = { Authorization: `api ${token}`, 'Content-Type': 'application/json' };
  const [guide] = (await (await fetch(`${server.url}/api/2.0/guides`, { headers })).json()) as [
    { guideid: number },
  ];
  const met = await fetch(`${server.url}/api/2.0/comments/guide/${guide.guideid}`, { headers });
  expect(met.status).toBe(503);
  expect(await met.json()).toMatchObject({ code: 'database-damaged' });
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({
    code: 'database-damaged',
    message: expect.stringContaining('Restore the newest backup') as string,
  });
  expect((await fetch(`${server.url}/api/2.0/guides`, { headers })).status).toBe(200);
  await expect
    .poll(() => mails.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]))
    .toEqual(['The database of Benchbook is damaged']);
  await mails.close();
});

test('HEALTH-2 the check finds damage that no request has met, and does not hold up a start', async () => {
  await workshop();
  const path = join(dataDir, databaseName);
  expect(await quickCheck(path).result).toBe('ok');
  const whole = readFileSync(path);
  copyFileSync(path, `${path}.whole`);
  overwrite(path, 'comments');
  expect(await quickCheck(path).result).not.toBe('ok');
  writeFileSync(path, whole);
});
