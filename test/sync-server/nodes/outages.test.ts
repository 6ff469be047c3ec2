import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startPostgres, type PostgresServer } from '#test/support/postgres.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { sync } from '#test/support/sync-calls.ts';

import { StreamingDevice } from '../feed-access/stream.ts';
import { nodeProcesses } from './processes.ts';
import { serverNodes } from './servers.ts';
import { at } from './world.ts';

let postgres: PostgresServer;
let ana: TestPerson;
let checkpoint: string;
let guideid: number;

beforeAll(async () => {
  postgres = await startPostgres();
  await using server = await startServer({ database: postgres.url });
  await server.category('Radio');
  ana = await server.person('Ana');
  const guide = await ana.client.guides.create({
    body: { category: 'Radio', type: 'repair', title: 'Radio', public: true },
  });
  ({ guideid } = guide);
  ({ checkpoint } = await sync(server, ana, 'bootstrap?collections=people'));
});
afterAll(() => postgres[Symbol.asyncDispose]());

interface Sent {
  text: string;
  key: string;
}

/** Sends a comment until it is acknowledged. Returns the statuses of the other answers. */
async function sendUntilStored({ url }: { url: string }, { text, key }: Sent): Promise<number[]> {
  const refusals: number[] = [];
  for (;;) {
    const answer = await at({ url }, ana)(
      'POST',
      `/comments/guide/${guideid}`,
      { text },
      {
        'Idempotency-Key': key,
      },
    ).catch(() => null);
    if (answer?.status === 201) return refusals;
    if (answer !== null) {
      refusals.push(answer.status);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    await wait(20);
  }
}

test('NODES-2 POSTGRES-20 while PostgreSQL is down, nodes answer 503 with Retry-After; afterwards they go on by themselves, and nothing acknowledged is lost or doubled', async () => {
  using nodes = serverNodes(postgres.url);
  const all = [await nodes.start(), await nodes.start()];
  const texts: string[] = [];
  const refusals = new Set<number>();
  let isOver = false;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let number = 0; !isOver; number += 1) {
      const text = `writer ${writer} comment ${number}`;
      const node = must(all[(writer + number) % all.length], 'a node');
      for (const status of await sendUntilStored(node, { text, key: randomUUID() })) refusals.add(status);
      texts.push(text);
    }
  });
  for (let round = 0; round < 3; round += 1) {
    const before = texts.length;
    await soon(() => texts.length).toBeGreaterThan(before + 20);
    await postgres.kill();
    for (const node of all) {
      const read = await fetch(`${node.url}/api/2.0/guides`);
      expect(read.status).toBe(503);
      expect(read.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await read.json()).toMatchObject({ code: 'database-unreachable' });
      expect((await fetch(`${node.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
    }
    await postgres.restart();
  }
  const before = texts.length;
  await soon(() => texts.length).toBeGreaterThan(before + 20);
  isOver = true;
  await Promise.all(writers);
  expect([...refusals]).toEqual([503]);
  const found = await comments(all[0]?.url ?? '');
  expect(found.toSorted()).toEqual(texts.toSorted());
  for (const node of all) {
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    expect(node.process.output.err).toBe('');
  }
});

async function comments(url: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const page = await fetch(`${url}/api/2.0/comments?context=guide&limit=200&offset=${found.length}`);
    const rows = (await page.json()) as { text_raw: string }[];
    if (rows.length === 0) return found;
    found.push(...rows.map(({ text_raw }) => text_raw));
  }
}

test('POSTGRES-5 an event stream goes on after the connection for notifications was cut', async () => {
  await using writing = await startServer({ database: postgres.url });
  await using reading = await startServer({ database: postgres.url });
  await using device = await StreamingDevice.open(reading, ana, checkpoint);
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const cut = async (): Promise<number> => {
    const { rowCount } = await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'benchbook signals'",
    );
    return rowCount ?? 0;
  };
  try {
    for (let round = 0; round < 3; round += 1) {
      expect(await cut()).toBeGreaterThan(0);
      const text = `after cut ${round}`;
      const sent = await at(writing, ana)('POST', `/comments/guide/${guideid}`, { text });
      expect(sent.status).toBe(201);
      await device.until(() => JSON.stringify(device.events).includes(text));
      await soon(async () => (await connections(database)) > 1).toBe(true);
    }
  } finally {
    await database.end();
  }
  expect(device.hasEnded).toBe(false);
});

async function connections(database: pg.Client): Promise<number> {
  const { rows } = await database.query(
    "SELECT 1 FROM pg_stat_activity WHERE application_name = 'benchbook signals'",
  );
  return rows.length;
}

test('POSTGRES-11 an event stream tells what a node wrote that died before it notified the others', async () => {
  await using reading = await startServer({ database: postgres.url });
  await using device = await StreamingDevice.open(reading, ana, checkpoint);
  using processes = nodeProcesses(postgres.url);
  const node = processes.start('die');
  await node.says('dies');
  await device.until(() => device.names.includes('stepForms/last-words'));
  expect(device.hasEnded).toBe(false);
});
