import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { layPostgresWire, type PostgresWire } from '#test/support/postgres-wire.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

interface World extends AsyncDisposable {
  server: TestServer;
  ana: TestPerson;
  wire: PostgresWire;
}

async function world(): Promise<World> {
  const all = new AsyncDisposableStack();
  const database = all.use(await makePostgresDatabase());
  const wire = all.use(await layPostgresWire(database.url));
  const server = all.use(await startServer({ database: wire.url }));
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  return { server, ana, wire, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const unreachable = {
  error: true,
  code: 'database-unreachable',
  message: 'The server cannot reach its database; try again',
};
const guide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' };

async function expectUnreachable(answer: ReturnType<TestPerson['call']>): Promise<void> {
  const { status, headers, body } = await answer;
  expect([status, body]).toMatchObject([503, unreachable]);
  expect(headers.get('Retry-After')).toBe('5');
}

test('POSTGRES-20 while PostgreSQL cannot be reached, every call is 503, and afterwards each can be repeated', async () => {
  await using all = await world();
  const { ana, server, wire } = all;
  const key = { 'Idempotency-Key': 'a-guide-for-later' };
  wire.cut();
  for (let time = 0; time < 3; time += 1) {
    await expectUnreachable(ana.call('GET', '/guides'));
    await expectUnreachable(ana.call('POST', '/guides', guide, key));
  }
  wire.mend();
  await expect.poll(async () => (await ana.call('GET', '/guides')).status).toBe(200);
  const first = await ana.call('POST', '/guides', guide, key);
  const again = await ana.call('POST', '/guides', guide, key);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect((again.body as Guide).guideid).toBe((first.body as Guide).guideid);
  expect(await server.services.storage.reader.selectFrom('guides').select('title').execute()).toHaveLength(1);
});

test('POSTGRES-20 a call whose commit was answered to nobody takes effect once when it is repeated', async () => {
  await using all = await world();
  const { ana, server, wire } = all;
  const key = { 'Idempotency-Key': 'a-guide-of-a-lost-answer' };
  wire.loseCommit(guide.title);
  await expectUnreachable(ana.call('POST', '/guides', guide, key));
  const { reader } = server.services.storage;
  expect(await reader.selectFrom('guides').select('title').execute()).toHaveLength(1);
  const again = await ana.call('POST', '/guides', guide, key);
  expect([again.status, again.body]).toMatchObject([201, { title: 'Belt' }]);
  expect(await reader.selectFrom('guides').select('title').execute()).toHaveLength(1);
});

test('POSTGRES-20 while the database takes no connections, calls are 503, and afterwards they work', async () => {
  await using database = await makePostgresDatabase();
  await using server = await startServer({ database: database.url });
  const ana = await server.person('Ana');
  const address = new URL(database.url);
  const name = address.pathname.slice(1);
  address.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: address.href });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  // Statements that were on their way are refused too.
  await expectUnreachable(ana.call('GET', '/guides'));
  await expectUnreachable(ana.call('POST', '/guides', guide));
  await expectUnreachable(ana.call('GET', '/guides'));
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await admin.end();
  await expect.poll(async () => (await ana.call('GET', '/guides')).status).toBe(200);
});

test('INPUT-29 a text that is too long for an index is refused, and nothing of the call is stored', async () => {
  await using all = await world();
  const { ana, server } = all;
  const { reader, writer } = server.services.storage;
  // The contract limits what is in the indexes of today; an index of a longer text is enough.
  await sql`CREATE INDEX too_much ON documents (body)`.execute(writer);
  const introduction = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e_00 + at)).join('');
  const { status, body } = await ana.call('POST', '/guides', { ...guide, introduction });
  expect([status, body]).toMatchObject([
    422,
    { code: 'text-too-long', message: 'A text is too long; shorten it and try again' },
  ]);
  expect(await reader.selectFrom('guides').select('title').execute()).toEqual([]);
  expect((await ana.call('POST', '/guides', guide)).status).toBe(201);
});
