import { join } from 'node:path';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { leftOut, movedTables } from '#server/storage/move/moved-tables.ts';
import { tablesOf } from '#server/storage/move/marks.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { seedDemo } from '#server/seed.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { addOddRows, back, contentOf, move, onDatabase, onSqlite, places, query, there } from './sites.ts';

test('MOVE-1 the demo content and odd rows are byte for byte what they were after a move there and back', async () => {
  await using at = await places();
  {
    await using server = await onSqlite(at);
    await seedDemo(server.services, { credential: () => undefined });
    const ana = await server.person('Zoe');
    for (let index = 0; index < 5; index += 1) {
      const guide = await makeGuide(ana, index % 2 === 0);
      await ana.call('POST', `/comments/guide/${guide.guideid}`, { text: `Comment ${index}` });
      await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, { title: 'Later' });
      if (index === 4)
        await ana.call('DELETE', `/guides/${guide.guideid}?revisionid=${guide.revisionid + 1}`);
    }
  }
  addOddRows(at.data);
  const before = await contentOf(at.data);

  const gone = await move(...there(at));
  expect({ code: gone.code, err: gone.err }).toEqual({ code: 0, err: '' });
  expect(gone.out).toMatch(/^guides +\d+$/m);
  const other = { ...at, data: join(at.root, 'other') };
  const returned = await move(...back(other));
  expect({ code: returned.code, err: returned.err }).toEqual({ code: 0, err: '' });

  const after = await contentOf(other.data);
  const rows = before['audit_log']?.length ?? 0;
  expect(after['audit_log']?.slice(rows)).toHaveLength(2);
  after['audit_log'] = after['audit_log']?.slice(0, rows) ?? [];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  // One at a time: a difference of all would be endless.
  for (const [table, content] of Object.entries(before))
    expect(JSON.stringify(after[table]) === JSON.stringify(content), table).toBe(true);
  expect(Object.values(before).flat().length).toBeGreaterThan(8000);
});

test('MOVE-1 every column of one database is in the other', async () => {
  await using at = await places();
  await using storage = await openPostgres(at.url);
  const { rows } = await sql<{ name: string; column: string }>`
    SELECT table_name AS name, column_name AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema()`.execute(storage.reader);
  const columnsOf = (table: string): string[] =>
    rows.flatMap(({ name, column }) => (name === table ? [column] : [])).toSorted();
  const moved = await movedTables();
  expect(moved.map(({ name }) => name)).toEqual(
    // SQLite has no leases.
    (await tablesOf(storage.reader)).filter((name) => !leftOut.has(name) && name !== 'leases'),
  );
  for (const { name, columns } of moved) expect([name, columnsOf(name)]).toEqual([name, columns.toSorted()]);
});

test('MOVE-1 the site goes on in PostgreSQL: numbers, search, audit log, and the key of the server', async () => {
  await using at = await places();
  let deleted: number;
  let revision: number;
  let identity: string;
  {
    await using server = await onSqlite(at);
    await server.category('Bench Grinder');
    const ana = await server.person('Ana');
    const guide = await makeGuide(ana);
    revision = guide.revisionid;
    const answer = await ana.call('POST', `/comments/guide/${guide.guideid}`, { text: 'Gone' });
    deleted = (answer.body as { commentid: number }).commentid;
    await ana.call('DELETE', `/comments/${deleted}`);
    identity = (await server.services.identity.key()).id;
  }
  expect(await move(...there(at))).toMatchObject({ code: 0, err: '' });
  await using server = await onDatabase(at);
  expect((await server.services.identity.key()).id).toBe(identity);
  const ben = await server.person('Ben');
  const found = (await ben.call('GET', '/search/unplug?filter=guide')).body as { totalResults: number };
  expect(found.totalResults).toBe(1);
  const guide = await makeGuide(ben);
  expect(guide.revisionid).toBeGreaterThan(revision);
  const answer = await ben.call('POST', `/comments/guide/${guide.guideid}`, { text: 'New' });
  expect((answer.body as { commentid: number }).commentid).toBe(deleted + 1);
  const log = await server.services.storage.reader
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('seq')
    .execute();
  const row = must(
    log.find(({ action }) => action === 'benchbook move'),
    'the row of the move',
  );
  expect(JSON.parse(row.changes)).toEqual([
    { facts: { from: at.data, to: expect.stringMatching(/^postgres:/) as string } },
  ]);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});

test('MOVE-11 a role that only owns its database moves a site there and back', async () => {
  await using at = await places();
  {
    await using server = await onSqlite(at);
    await server.person('Ana');
  }
  const role = `owner_${process.pid}`;
  const name = new URL(at.url).pathname.slice(1);
  await query(
    at.url,
    `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS; ALTER DATABASE ${name} OWNER TO ${role}`,
  );
  try {
    const url = new URL(at.url);
    url.username = role;
    const owned = { ...at, url: url.href };
    expect(await move(...there(owned))).toMatchObject({ code: 0, err: '' });
    {
      await using server = await onDatabase(owned);
      await server.person('Ben');
    }
    expect(await move(...back(owned))).toMatchObject({ code: 0, err: '' });
    await using server = await onSqlite(at);
    const people = await server.services.storage.reader.selectFrom('users').select('username').execute();
    expect(people.map(({ username }) => username)).toEqual(['Ana', 'Ben']);
  } finally {
    await query(at.url, `REASSIGN OWNED BY ${role} TO benchbook; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});
