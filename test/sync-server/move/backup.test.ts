import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { restoreBackup } from '#server/backup-processes.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';
import { runCommand } from '#test/support/command-line.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { sync } from '#test/support/sync-calls.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { mediaOf, picture } from '../backup-folders.ts';
import { hasDatabase, onDatabase, onSqlite, places, query, type Places } from './sites.ts';

const on = ({ data, url }: Pick<Places, 'data' | 'url'>): string[] => ['--data', data, '--database', url];

/** A site in PostgreSQL with a guide and pictures, of which an encrypted backup was made; and its key. */
async function withBackup(at: Places): Promise<{ backup: string; key: string; identity: string }> {
  const backup = join(at.root, 'backup');
  const key = join(at.root, 'key');
  expect((await runCommand(['backup-key', key])).code).toBe(0);
  await using server = await onDatabase(at);
  await server.category('Bench Grinder');
  const ana = { ...(await server.person('Ana')), url: server.url };
  await makeGuide(ana);
  for (const shade of [1, 2]) await picture(ana, shade);
  const made = await runCommand(['backup', backup, '--key', key, ...on(at)]);
  expect(made).toMatchObject({ code: 0, err: '' });
  return { backup, key, identity: (await server.services.identity.key()).id };
}

test('BACKUP-22 a backup of a site in PostgreSQL is proved, and restored to PostgreSQL and to SQLite', async () => {
  await using at = await places();
  const { backup, key, identity } = await withBackup(at);
  const proof = await runCommand(['verify', backup, '--key', key, ...on(at)]);
  expect(proof).toMatchObject({ code: 0, err: '' });
  expect(proof.out).toMatch(/can be restored: \d+ files/);

  await using database = await makePostgresDatabase();
  for (const place of [
    { data: join(at.root, 'restored'), url: database.url },
    { data: join(at.root, 'sqlite'), url: undefined },
  ]) {
    const { data, url } = place;
    const named = url === undefined ? ['--data', data] : on({ data, url });
    const restored = await runCommand(['restore', backup, '--key', key, ...named]);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).not.toContain('Put server.key');
    expect(hasDatabase(data)).toBe(url === undefined);
    expect(mediaOf(data)).toHaveLength(2);
    await using server = url === undefined ? await onSqlite({ data }) : await onDatabase({ data, url });
    expect((await server.services.identity.key()).id).toBe(identity);
    const ben = await server.person('Ben');
    const guide = await makeGuide(ben);
    expect(guide.guideid).toBeGreaterThan(1_000_000);
    const { checkpoint } = await sync(server, ben, 'bootstrap?collections=guides');
    expect(Number(checkpoint.split('.')[0])).toBeGreaterThan(1_000_000);
  }
});

test('BACKUP-22 a backup of PostgreSQL that is made while people write holds everything that was acknowledged before it', async () => {
  await using at = await places();
  const backup = join(at.root, 'backup');
  let before: number;
  {
    await using server = await onDatabase(at);
    await server.category('Bench Grinder');
    const ana = await server.person('Ana');
    const writing = new AbortController();
    const written: number[] = [];
    const writer = (async () => {
      while (!writing.signal.aborted) written.push((await makeGuide(ana)).guideid);
    })();
    await expect.poll(() => written.length).toBeGreaterThan(3);
    before = written.length;
    const { code, err } = await runCommand(['backup', backup, ...on(at)]);
    writing.abort();
    await writer;
    expect({ code, err }).toEqual({ code: 0, err: '' });
  }
  expect(await runCommand(['verify', backup, ...on(at)])).toMatchObject({ code: 0, err: '' });
  const data = join(at.root, 'restored');
  expect(await runCommand(['restore', backup, '--data', data])).toMatchObject({ code: 0, err: '' });
  rmSync(join(data, keyFileName), { force: true });
  const key = await keyIn(at.url);
  writeFileSync(join(data, keyFileName), key);
  await using server = await onSqlite({ data });
  const guides = await server.services.storage.reader.selectFrom('guides').select('guideid').execute();
  expect(guides.length).toBeGreaterThanOrEqual(before);
});

async function keyIn(url: string): Promise<string> {
  const [row] = await query<{ pem: string }>(url, 'SELECT pem FROM server_keys');
  return row?.pem ?? '';
}

test('IDENTITY-11 the key that an unencrypted backup lacks is taken from the data folder', async () => {
  await using at = await places();
  let identity: string;
  const backup = join(at.root, 'backup');
  {
    await using server = await onDatabase(at);
    await server.person('Ana');
    identity = (await server.services.identity.key()).id;
    expect(await runCommand(['backup', backup, ...on(at)])).toMatchObject({ code: 0 });
  }
  const key = await keyIn(at.url);
  await using database = await makePostgresDatabase();
  const there = { data: join(at.root, 'restored'), url: database.url };
  const restored = await runCommand(['restore', backup, ...on(there)]);
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain(`Put server.key into ${there.data}`);
  const start = async (): Promise<string> => {
    await using server = await onDatabase(there);
    return (await server.services.identity.key()).id;
  };
  await expect(start()).rejects.toThrow(/server\.key is missing, by which devices know this server/);
  {
    const other = join(at.root, 'other');
    await using server = await onSqlite({ data: other });
    await server.services.identity.key();
    writeFileSync(join(there.data, keyFileName), readFileSync(join(other, keyFileName)));
  }
  await expect(start()).rejects.toThrow(/server\.key is the key of another server/);
  writeFileSync(join(there.data, keyFileName), key);
  expect(await start()).toBe(identity);
  rmSync(join(there.data, keyFileName));
  expect(await start()).toBe(identity);
});

test('RESTORE-6 a restore to PostgreSQL that was interrupted is run again, and a database with a site is refused', async () => {
  await using at = await places();
  const { backup, key } = await withBackup(at);
  const refused = await runCommand(['restore', backup, '--key', key, ...on(at)]);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is a Benchbook site in') as string,
  });
  await using database = await makePostgresDatabase();
  const there = { data: join(at.root, 'restored'), url: database.url };
  expect(await runCommand(['restore', backup, '--key', key, ...on(there)])).toMatchObject({ code: 0 });
  // As it was when the process was killed before its last step.
  await query(
    there.url,
    `SET benchbook.collecting = 'on'; INSERT INTO meta VALUES ('arriving', '{"id":"","from":"the backup","to":"","at":1,"by":"restore"}')`,
  );
  renameSync(there.data, join(at.root, 'moved-aside'));
  mkdirSync(there.data);
  await expect(onDatabase(there)).rejects.toThrow(
    'A "benchbook restore" from the backup to this database was interrupted. Run the same command again',
  );
  expect(await runCommand(['restore', backup, '--key', key, ...on(there)])).toMatchObject({
    code: 0,
    err: '',
  });
  await using server = await onDatabase(there);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('RESTORE-6 the first-run page restores into the database that the server uses', async () => {
  await using at = await places();
  const { backup, key, identity } = await withBackup(at);
  const [name] = readdirSync(join(backup, 'backups')).map((file) => file.replace(/\..*$/, ''));
  await using database = await makePostgresDatabase();
  const there = { data: join(at.root, 'restored'), url: database.url };
  {
    // The page is that of a new server.
    await using server = await onDatabase(there);
    await server.services.identity.key();
  }
  const wanted = { folder: backup, key, backup: name ?? '' };
  const place = { data: there.data, database: there.url };
  expect(await restoreBackup(place, wanted, new AbortController().signal)).toBe(null);
  await using server = await onDatabase(there);
  expect((await server.services.identity.key()).id).toBe(identity);
});

test('RESTORE-7 after a dump was restored, numbers leap', async () => {
  await using at = await places();
  let guideid: number;
  {
    await using server = await onDatabase(at);
    await server.category('Bench Grinder');
    ({ guideid } = await makeGuide(await server.person('Ana')));
    expect((await runCommand(['restored', ...on(at)])).err).toContain('Benchbook is connected to');
  }
  expect(await runCommand(['restored', ...on(at)])).toMatchObject({ code: 0, err: '' });
  expect((await runCommand(['restored', '--data', at.data])).code).toBe(1);
  const gone = ['--data', join(at.root, 'gone'), '--database', 'postgres://127.0.0.1:1/x'];
  for (const args of [['restored'], ['restore', at.data]]) {
    const { code, err } = await runCommand([...args, ...gone]);
    expect({ args, code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ECONNREFUSED|There is no Benchbook data/) as string,
    });
  }
  await using server = await onDatabase(at);
  const ben = await server.person('Ben');
  expect((await makeGuide(ben)).guideid).toBe(guideid + 1_000_001);
  expect(existsSync(at.data)).toBe(true);
});
