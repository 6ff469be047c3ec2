import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';

import { CommitSignal } from '#server/storage/postgres/commit-signal.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { layPostgresWire } from '#test/support/postgres-wire.ts';

test('POSTGRES-5 a node that stops while it opens its connection for signals again keeps none', async () => {
  await using database = await makePostgresDatabase();
  await using wire = await layPostgresWire(database.url);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const ofSignals =
    "FROM pg_stat_activity WHERE application_name = 'benchbook signals' AND datname = current_database()";
  const connections = async (): Promise<number> => (await admin.query(`SELECT 1 ${ofSignals}`)).rows.length;
  const signal = await CommitSignal.open(wire.url, pino({ level: 'silent' }), () => undefined);
  expect(await connections()).toBe(1);
  const release = wire.hold();
  await admin.query(`SELECT pg_terminate_backend(pid, 10000) ${ofSignals}`);
  expect(await connections()).toBe(0);
  await expect.poll(connections).toBe(1);
  await signal[Symbol.asyncDispose]();
  release();
  await expect.poll(connections).toBe(0);
  await admin.end();
});
