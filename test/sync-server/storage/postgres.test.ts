import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';

import type { WikiFacts } from '#shared/model/wiki.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { Tx } from '#server/storage/tables.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { byTest } from '#test/support/written.ts';

import { describeStorage } from './contract.ts';
import { note, write } from './write.ts';

describeStorage('PostgreSQL', async () => {
  const database = await makePostgresDatabase();
  return {
    open: () => openPostgres(database.url),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
});

const put = (storage: Storage, id: number): Promise<void> =>
  write(storage, async (_tx, changes) => changes.put('wikis', id, note(id), ['public']));

test('POSTGRES-1 numbers of the feed follow the order of commits of all nodes', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  await using reading = await openPostgres(database.url);
  const seen: number[] = [];
  let isDone = false;
  const follow = async (): Promise<void> => {
    for (let wasDone = false; !wasDone;) {
      wasDone = isDone;
      const rows = await reading.reader
        .selectFrom('feed')
        .select('seq')
        .where('seq', '>', seen.at(-1) ?? 0)
        .orderBy('seq')
        .execute();
      seen.push(...rows.map(({ seq }) => seq));
    }
  };
  const following = follow();
  await Promise.all(
    [one, two].flatMap((storage, node) =>
      // In two rows of writes, so that the nodes' transactions follow each other often.
      [0, 1].map(async (row) => {
        for (let index = row; index < 60; index += 2) await put(storage, 1000 * node + index);
      }),
    ),
  );
  isDone = true;
  await following;
  const all = await one.reader.selectFrom('feed').select('seq').orderBy('seq').execute();
  expect(seen).toEqual(all.map(({ seq }) => seq));
  expect(seen).toHaveLength(120);
});

test('POSTGRES-1 the audit chain of several nodes is whole', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  const name = (storage: Storage, text: string): Promise<unknown> =>
    storage.write(byTest, (tx) => tx.insertInto('tags').values({ name: text }).execute());
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => name(index % 2 === 0 ? one : two, `tag ${index}`)),
  );
  const rows = await one.reader.selectFrom('audit_log').selectAll().orderBy('seq').execute();
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.map(({ prev_hash }) => prev_hash).slice(1)).toEqual(rows.map(({ hash }) => hash).slice(0, -1));
  expect(rows.filter(({ changes }) => changes.includes('"tags"'))).toHaveLength(40);
});

test('POSTGRES-2 a node that stops in the middle of a transaction does not hold up others', async () => {
  await using database = await makePostgresDatabase();
  await using stopped = await openPostgres(database.url);
  await using other = await openPostgres(database.url);
  const { promise: stop, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const refused = stopped
    .write(byTest, async (tx) => {
      await tx.insertInto('tags').values({ name: 'unfinished' }).execute();
      begin();
      await stop;
      await tx.insertInto('tags').values({ name: 'too late' }).execute();
    })
    .then(
      () => 'written',
      () => 'refused',
    );
  await begun;
  await other.write(byTest, (tx) => tx.insertInto('tags').values({ name: 'of the other' }).execute());
  release();
  expect(await refused).toBe('refused');
  const names = await other.reader.selectFrom('tags').select('name').execute();
  expect(names).toEqual([{ name: 'of the other' }]);
  // The stopped node works again.
  await put(stopped, 1);
});

test('POSTGRES-3 a commit of another node changes the version at the next question', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  for (let round = 0; round < 50; round += 1) {
    await two.refresh?.();
    const before = two.version();
    await put(one, round);
    await two.refresh?.();
    expect(two.version()).not.toBe(before);
  }
});

test('POSTGRES-4 another node hears of commits, in few notifications', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  await listener.query('LISTEN benchbook_committed');
  let commits = 0;
  two.whenChangedElsewhere(() => (commits += 1));
  await Promise.all(Array.from({ length: 100 }, (_, index) => put(one, index)));
  await expect.poll(() => commits).toBeGreaterThan(0);
  await listener.query('SELECT 1');
  await listener.end();
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(50);
  expect(new Set(heard)).toEqual(new Set(['']));
});

test('POSTGRES-5 a node hears what was committed while its connection was broken', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  let heard = 0;
  two.whenChangedElsewhere(() => (heard += 1));
  const putAndHear = async (number: number): Promise<void> => {
    const before = heard;
    await put(one, number);
    await expect.poll(() => heard).toBeGreaterThan(before);
  };
  await putAndHear(1);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'benchbook signals' AND datname = current_database()`.execute(one.reader);
  await putAndHear(2);
  await putAndHear(3);
});

test('POSTGRES-6 a node answers with what another one has just stored', async () => {
  await using database = await makePostgresDatabase();
  await using one = await startServer({ database: database.url });
  await using two = await startServer({ database: database.url });
  const ada = await one.person('Ada');
  await one.category('Pumps');
  const made = await ada.call('POST', '/guides', {
    category: 'Pumps',
    type: 'how-to',
    title: 'Round 0',
  });
  expect(made.status).toBe(201);
  let guide = made.body as { guideid: number; revisionid: number; title: string };
  const elsewhere = async (): Promise<string> => {
    const response = await fetch(`${two.url}/api/2.0/guides/${guide.guideid}`, {
      headers: { Authorization: `api ${ada.token}` },
    });
    return ((await response.json()) as { title: string }).title;
  };
  for (let round = 1; round <= 20; round += 1) {
    const patched = await ada.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
      title: `Round ${round}`,
    });
    expect(patched.status).toBe(200);
    guide = patched.body;
    expect([await elsewhere(), await elsewhere()]).toEqual([`Round ${round}`, `Round ${round}`]);
  }
});

test('POSTGRES-7 a statement that is built once is parsed once per connection', async () => {
  await using database = await makePostgresDatabase();
  await using storage = await openPostgres(database.url);
  for (let round = 0; round < 3; round += 1) await put(storage, round);
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
    storage.writer,
  );
  const ofDocuments = rows.filter(({ statement }) => statement.startsWith('insert into "documents"'));
  expect(ofDocuments).toHaveLength(1);
});

test('POSTGRES-8 changes of one row by two nodes are made one after the other', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  await one.write(byTest, (tx) => tx.insertInto('tags').values({ name: '0' }).execute());
  const countUp = async (tx: Tx): Promise<number> => {
    const { name } = await tx.selectFrom('tags').select('name').executeTakeFirstOrThrow();
    const next = Number(name) + 1;
    await tx
      .updateTable('tags')
      .set({ name: String(next) })
      .execute();
    return next;
  };
  const numbers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : two).write(byTest, countUp)),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
});

test('POSTGRES-8 writes of two nodes see each other, have each effect once, and are refused alone', async () => {
  await using database = await makePostgresDatabase();
  await using one = await openPostgres(database.url);
  await using two = await openPostgres(database.url);
  const add = (storage: Storage, number: number): Promise<string> =>
    write(storage, async (tx, changes) => {
      const all = await tx.selectFrom('tags').select('name').execute();
      changes.put('wikis', number, note(all.length), ['public']);
      await tx
        .insertInto('tags')
        .values({ name: `tag ${number}` })
        .execute();
      if (number % 5 === 0) throw new Error('refused');
    }).then(
      () => 'added',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, number) => add(number % 2 === 0 ? one : two, number)),
  );
  expect(outcomes).toEqual(outcomes.map((_, number) => (number % 5 === 0 ? 'refused' : 'added')));
  const tags = await one.reader.selectFrom('tags').select('name').execute();
  const rows = await one.reader.selectFrom('feed').select(['seq', 'id']).orderBy('seq').execute();
  const documents = await one.reader
    .selectFrom('documents')
    .select(['seq', 'id', 'body'])
    .orderBy('seq')
    .execute();
  expect(tags).toHaveLength(48);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(documents.map(({ id }) => id).toSorted());
  expect(documents.map(({ seq, id }) => ({ seq, id }))).toEqual(rows);
  // One after the other: each saw one tag more than the one before.
  expect(documents.map(({ body }) => (JSON.parse(body) as WikiFacts).wikiid)).toEqual(
    rows.map((_, index) => index),
  );
  const entries = await one.reader.selectFrom('audit_log').select('changes').execute();
  expect(entries.filter(({ changes }) => changes.includes('"tags"'))).toHaveLength(48);
});

test('IDENTITY-10 nodes that start at the same time share one key', async () => {
  await using database = await makePostgresDatabase();
  await using first = await temporaryFolder('node');
  await using second = await temporaryFolder('node');
  const nodes = await Promise.all(
    [first, second].map(({ path }) => startServer({ database: database.url, dataDir: path })),
  );
  const ids = await Promise.all(nodes.map(async (node) => (await node.services.identity.key()).id));
  for (const node of nodes) await node[Symbol.asyncDispose]();
  expect(ids[0]).toBe(ids[1]);
});

const addTag = prepared<{ name: string }, unknown>((db, value) =>
  db.insertInto('tags').values({ name: value('name') }),
);
const countTags = prepared<Record<never, never>, { count: number }>((db) =>
  db.selectFrom('tags').select(({ fn }) => fn.countAll<number>().as('count')),
);

test('POSTGRES-22 a statement that nobody waits for fails its own work with its own error', async () => {
  await using database = await makePostgresDatabase();
  await using storage = await openPostgres(database.url);
  const add = (...names: string[]): Promise<void> =>
    storage.write(byTest, async (tx) => {
      for (const name of names) await addTag(tx, { name });
    });
  const addAndRead = (name: string, read: (tx: Tx) => Promise<unknown>): Promise<unknown> =>
    storage.write(byTest, async (tx) => {
      await addTag(tx, { name });
      return read(tx);
    });
  await add('taken');
  const attempts = [
    add('first'),
    add('undone', 'taken'),
    addAndRead('taken', (tx) => countTags(tx, {})),
    addAndRead('taken', (tx) => tx.selectFrom('tags').selectAll().execute()),
    addAndRead('taken', (tx) => Promise.all([countTags(tx, {}), addTag(tx, { name: 'undone' })])),
    add('last'),
  ];
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    ...Array.from({ length: 4 }, () => 'rejected'),
    'fulfilled',
  ]);
  const uniqueViolation = { code: '23505' };
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(uniqueViolation);
  // Alone in its transaction.
  await expect(add('undone', 'taken')).rejects.toMatchObject(uniqueViolation);
  await add('afterwards');
  const tags = await storage.reader.selectFrom('tags').select('name').orderBy('name').execute();
  expect(tags.map(({ name }) => name)).toEqual(['afterwards', 'first', 'last', 'taken']);
});

test('POSTGRES-22 a refusal behind a failed statement undoes the work, and is told', async () => {
  await using database = await makePostgresDatabase();
  await using storage = await openPostgres(database.url);
  const refused = (name: string): Promise<unknown> =>
    storage.write(byTest, async (tx) => {
      await addTag(tx, { name });
      throw new Error('not allowed');
    });
  const add = (name: string): Promise<unknown> => storage.write(byTest, (tx) => addTag(tx, { name }));
  await add('taken');
  const outcomes = await Promise.allSettled([add('first'), refused('taken'), refused('undone'), add('last')]);
  expect(outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : one.status))).toEqual([
    'fulfilled',
    'Error: not allowed',
    'Error: not allowed',
    'fulfilled',
  ]);
  const tags = await storage.reader.selectFrom('tags').select('name').orderBy('name').execute();
  expect(tags.map(({ name }) => name)).toEqual(['first', 'last', 'taken']);
});

const addTagAndTell = prepared<{ name: string }, { name: string }>((db, value) =>
  db
    .insertInto('tags')
    .values({ name: value('name') })
    .returning('name'),
);

test('POSTGRES-22 a statement with rows fails with its own error, whatever was sent behind it', async () => {
  await using database = await makePostgresDatabase();
  await using storage = await openPostgres(database.url);
  const addTwo = (...[one, two]: [string, string]): Promise<unknown> =>
    storage.write(byTest, (tx) =>
      Promise.all([addTagAndTell(tx, { name: one }), addTag(tx, { name: two }), countTags(tx, {})]),
    );
  await addTwo('taken', 'other');
  const outcomes = await Promise.allSettled([
    addTwo('first', 'second'),
    addTwo('taken', 'undone'),
    addTwo('undone', 'taken'),
    addTwo('third', 'last'),
  ]);
  expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason : one.status))).toMatchObject([
    'fulfilled',
    { code: '23505' },
    { code: '23505' },
    'fulfilled',
  ]);
  const tags = await storage.reader.selectFrom('tags').select('name').orderBy('name').execute();
  expect(tags.map(({ name }) => name)).toEqual(['first', 'last', 'other', 'second', 'taken', 'third']);
});
