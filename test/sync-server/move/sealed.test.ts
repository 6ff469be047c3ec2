import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readConfig } from '#server/platform/config.ts';
import { startServer as startFromSettings } from '#server/main.ts';
import { ownOrigin, theServer } from '#server/storage/audit/origin.ts';
import { moveLock } from '#server/storage/postgres/locks.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';
import { runCommand } from '#test/support/command-line.ts';
import { makeGuide } from '#test/support/workshop.ts';

import {
  back,
  contentOf,
  hasDatabase,
  move,
  onDatabase,
  onSqlite,
  places,
  query,
  there,
  type Places,
} from './sites.ts';

/** A data folder with one guide. */
async function withSite(at: Places): Promise<void> {
  await using server = await onSqlite(at);
  await server.category('Bench Grinder');
  await makeGuide(await server.person('Ana'));
}

const start = (...args: string[]) =>
  startFromSettings(
    must(
      readConfig([...args, '--no-demo', '--no-open', '--port', '0', '--log-level', 'silent'], {}),
      'settings',
    ),
    {
      say: () => undefined,
    },
  );

test('MOVE-3 nothing opens a folder that a site has left: server and commands say where it is, and how to undo the move', async () => {
  await using at = await places();
  await withSite(at);
  expect(await move(...there(at))).toMatchObject({ code: 0 });
  const shown = at.url;
  const sentence = new RegExp(
    `^This site moved from ${at.data} to ${shown} at .* UTC, and nothing may change here any more\\. Start the server with --database ${shown}\\. If the move was a mistake: benchbook move --undo --to ${shown} --data ${at.data}$`,
  );
  await expect(start('--data', at.data)).rejects.toThrow(sentence);
  for (const args of [
    ['site', 'get'],
    ['user', 'list'],
    ['backup', join(at.root, 'backup')],
    ['move', '--to', at.url],
  ]) {
    const { code, err } = await runCommand([...args, '--data', at.data]);
    expect({ args, code, err }).toEqual({ args, code: 1, err: expect.stringMatching(sentence) as string });
  }
  expect(await runCommand(['doctor', '--data', at.data])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^ERROR {4}database {6}This site moved from/) as string,
  });
});

test('MOVE-3 nothing opens a PostgreSQL database that a site has left', async () => {
  await using at = await places();
  await withSite(at);
  expect(await move(...there(at))).toMatchObject({ code: 0 });
  expect(await move(...back(at))).toMatchObject({ code: 0, err: '' });
  const sentence = new RegExp(
    `^This site moved from ${at.url} to ${at.data} at .* Start the server with --data ${at.data}, without --database\\.`,
  );
  await expect(start('--data', at.data, '--database', at.url)).rejects.toThrow(sentence);
  expect(await runCommand(['user', 'list', '--data', at.data, '--database', at.url])).toMatchObject({
    code: 1,
    err: expect.stringMatching(sentence) as string,
  });
  // The folder is used again.
  await using server = await onSqlite(at);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('MOVE-5 a sealed database refuses every write, whoever makes it', async () => {
  await using at = await places();
  await withSite(at);
  expect(await move(...there(at))).toMatchObject({ code: 0 });
  const sqlite = new BetterSqlite3(join(at.data, databaseName));
  const writes = [
    "INSERT INTO tags (name) VALUES ('x')",
    "UPDATE guides SET title = 'x'",
    'DELETE FROM feed',
    "DELETE FROM meta WHERE name = 'sealed'",
  ];
  for (const text of writes) expect(() => sqlite.exec(text)).toThrow('nothing may change here any more');
  sqlite.close();
  expect(await move(...back(at))).toMatchObject({ code: 0 });
  for (const text of writes)
    await expect(query(at.url, `SET benchbook.collecting = 'on'; ${text}`)).rejects.toThrow(
      'nothing may change here any more',
    );
});

test('MOVE-6 a move is refused while a server or command works on either database', async () => {
  await using at = await places();
  {
    const server = await start('--data', at.data);
    const refused = await move(...there(at));
    await server.stop();
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: `A server is running on ${at.data}. Stop it first.`,
    });
  }
  {
    await using storage = await openSqlite(join(at.data, databaseName));
    await storage.write(ownOrigin({ acting: theServer }), async () => {
      expect(await move(...there(at))).toMatchObject({
        code: 1,
        err: 'A command is writing to the data folder. Wait until it is done, then try again.',
      });
    });
  }
  expect(await move(...there(at))).toMatchObject({ code: 0 });
  const other = { ...at, data: join(at.root, 'other') };
  await using _server = await onDatabase(at);
  const { code, err } = await move(...back(other));
  expect(code).toBe(1);
  expect(err).toMatch(/^Benchbook is connected to postgres:.*benchbook signals from 127\.0\.0\.1/);
  expect(hasDatabase(other.data)).toBe(false);
});

test('MOVE-6 no server is let in during a move', async () => {
  await using at = await places();
  await withSite(at);
  await using _other = await openPostgres(at.url);
  expect((await move(...there(at))).err).toContain('Benchbook is connected to');
  const moving = new pg.Client({ connectionString: at.url });
  await moving.connect();
  try {
    await moving.query(`SELECT pg_advisory_lock(${moveLock})`);
    await expect(openPostgres(at.url)).rejects.toThrow('"benchbook move" is working on the database');
  } finally {
    await moving.end();
  }
});

test('CLI-3 a move that cannot be made is refused in one sentence and changes nothing', async () => {
  await using at = await places();
  await withSite(at);
  const before = await contentOf(at.data);
  const refusedWith = async (args: string[], message: string | RegExp): Promise<void> => {
    const { code, err } = await move(...args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(err).toMatch(message);
  };
  await refusedWith(['--data', at.data], /^Name the database with either --to or --from\.$/);
  await refusedWith([...there(at), '--from', at.url], /^Name the database with either/);
  await refusedWith(['--to', 'mysql://x', '--data', at.data], /must be an address such as postgres:/);
  await refusedWith(
    ['--to', 'postgres://127.0.0.1:1/x', '--data', at.data],
    /^That failed, and nothing was changed: .*ECONNREFUSED/,
  );
  await refusedWith([...there(at), '--lose-changes'], /belongs to --undo/);
  await refusedWith([...there(at), '--undo'], /has not moved\. There is nothing to undo\.$/);
  const empty = join(at.root, 'empty');
  await refusedWith(['--to', at.url, '--data', empty], /^There is no Benchbook database in/);
  await query(at.url, 'CREATE TABLE invoices (id INT)');
  await refusedWith(there(at), /^There are tables of another program in postgres:/);
  await query(at.url, 'DROP TABLE invoices');
  {
    await using storage = await openPostgres(at.url);
    await storage.write(ownOrigin({ acting: theServer }), (tx) =>
      tx
        .insertInto('users')
        .values({
          username: 'Eva',
          privileges: '[]',
          join_date: 1,
          reputation: 0,
          about_raw: '',
          langid: 'en',
          enabled: 1,
          accountid: 'one',
        })
        .execute(),
    );
  }
  await refusedWith(there(at), /^There is a Benchbook site in postgres:.*\. Name an empty database\.$/);
  expect(await contentOf(at.data)).toEqual(before);
  await refusedWith(back(at), new RegExp(`^There is a Benchbook site in ${at.data}\\.`));
  mkdirSync(empty, { recursive: true });
  writeFileSync(join(empty, databaseName), '');
  await refusedWith(back({ ...at, data: empty }), /^There is a Benchbook site in/);
});
