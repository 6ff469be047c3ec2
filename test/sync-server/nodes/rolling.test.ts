import { sql } from 'kysely';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { hashOf, noHash } from '#server/storage/audit/recorder.ts';
import { schemaVersion } from '#server/storage/migrations/index.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { collectChanges, readWatched, storeTriggers } from '#server/storage/postgres/watcher.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { at } from './world.ts';

/** Uses many statements, each at least twice. */
async function work(server: TestServer, person: TestPerson, title: string): Promise<void> {
  for (const part of ['a', 'b']) {
    const made = await at(server, person)('POST', '/guides', {
      category: 'Radio',
      type: 'repair',
      title: `${title} ${part}`,
      public: true,
      steps: [{ title: 'Open', lines: [{ text: 'Open it.' }] }],
    });
    expect(made.status).toBe(201);
    const guide = made.body as Guide;
    const path = `/guides/${guide.guideid}`;
    const saved = await at(server, person)('PATCH', `${path}?revisionid=${guide.revisionid}`, {
      summary: 'Saved',
    });
    expect(saved.status).toBe(200);
    expect(
      (await at(server, person)('POST', `/comments/guide/${guide.guideid}`, { text: 'Hi' })).status,
    ).toBe(201);
    expect((await at(server, person)('GET', path)).status).toBe(200);
    expect((await at(server, person)('GET', '/guides?limit=200')).status).toBe(200);
    expect((await at(server, person)('GET', `/search/${encodeURIComponent(title)}`)).status).toBe(200);
    const feed = await fetch(`${server.url}/sync/1/bootstrap`, {
      headers: { Authorization: `api ${person.token}` },
    });
    expect(feed.status).toBe(200);
    await feed.arrayBuffer();
  }
}

/** Does to the database what a node of a later version does at its start. */
async function migrateLater(url: string): Promise<string[]> {
  const storage = await openPostgres(url);
  const tables = [
    'guides',
    'guide_revisions',
    'users',
    'tokens',
    'comments',
    'documents',
    'feed',
    'audiences',
    'jobs',
  ];
  try {
    await storage.writer.transaction().execute(async (tx) => {
      await sql.raw(collectChanges).execute(tx);
      for (const table of tables)
        await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN later TEXT DEFAULT 'later'`.execute(tx);
      await tx
        .updateTable('meta')
        .set({ value: String(schemaVersion + 1) })
        .where('name', '=', 'schema_version')
        .execute();
      await storeTriggers(tx, await readWatched(tx));
      // The changes of the migration itself are not recorded.
      await sql`DELETE FROM pg_temp.audit_seen`.execute(tx);
    });
    return await triggersIn(url);
  } finally {
    await storage[Symbol.asyncDispose]();
  }
}

async function triggersIn(url: string): Promise<string[]> {
  const storage = await openPostgres(url);
  try {
    const { rows } = await sql<{ source: string }>`
      SELECT prosrc AS source FROM pg_proc WHERE proname LIKE 'audit\\_%' ORDER BY proname`.execute(
      storage.reader,
    );
    return rows.map(({ source }) => source);
  } finally {
    await storage[Symbol.asyncDispose]();
  }
}

test('POSTGRES-13 nodes of an older version go on after a newer one migrated the database, and start on it again, with a whole audit log', async () => {
  await using database = await makePostgresDatabase();
  await using one = await startServer({ database: database.url });
  await one.category('Radio');
  const ana = await one.person('Ana');
  await work(one, ana, 'Before');
  const later = await migrateLater(database.url);
  expect(later.join('')).toContain('later');
  await work(one, ana, 'After');
  {
    // A node of the older version is replaced by another one of it.
    await using other = await startServer({ database: database.url });
    await work(other, ana, 'Replaced');
  }
  await work(one, ana, 'Again');
  expect(await triggersIn(database.url)).toEqual(later);
  let before = { seq: 0, hash: noHash };
  for (const row of await one.services.storage.reader
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('seq')
    .execute()) {
    expect([row.seq, row.prev_hash, row.hash]).toEqual([before.seq + 1, before.hash, hashOf(row)]);
    before = row;
  }
  const rows = await one.services.storage.reader
    .selectFrom('audit_log')
    .select(['action', 'changes'])
    .where('action', '=', 'PATCH /guides/{guideid}')
    .orderBy('seq')
    .execute();
  expect(rows).toHaveLength(8);
  const shapes = rows.map(({ changes }) =>
    (JSON.parse(changes) as { table: string; op: string; new?: object }[]).map((row) => [
      row.table,
      row.op,
      Object.keys(row.new ?? {}),
    ]),
  );
  // The rows after the migration record the same columns as those before.
  expect(shapes.slice(2)).toEqual([0, 1, 0, 1, 0, 1].map((index) => shapes[index]));
});

test('NODES-3 nodes are replaced one by one while clients work, and no call fails', async () => {
  await using database = await makePostgresDatabase();
  let nodes = [await startServer({ database: database.url }), await startServer({ database: database.url })];
  const [first] = nodes;
  if (first === undefined) throw new Error('no node');
  await first.category('Radio');
  const ana = await first.person('Ana');
  let isOver = false;
  let calls = 0;
  const statuses = new Set<number>();
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let number = 0; !isOver; number += 1) {
      const node = nodes[(client + number) % nodes.length];
      if (node === undefined) throw new Error('no node');
      const title = `Guide ${client} ${number}`;
      const made = await at(node, ana)('POST', '/guides', {
        category: 'Radio',
        type: 'repair',
        title,
        public: true,
      });
      statuses.add(made.status);
      calls += 1;
    }
  });
  for (let round = 0; round < 3; round += 1) {
    const next = await startServer({ database: database.url });
    const [leaving, ...staying] = nodes;
    // Like a proxy that learns of it before the node stops.
    nodes = [...staying, next];
    const before = calls;
    while (calls < before + 20) await new Promise(setImmediate);
    await leaving?.[Symbol.asyncDispose]();
  }
  isOver = true;
  await Promise.all(clients);
  expect([...statuses]).toEqual([201]);
  const count = await nodes[0]?.services.storage.reader
    .selectFrom('guides')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count?.count).toBe(calls);
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
});
