import { hostname } from 'node:os';

import { sql, type Kysely } from 'kysely';
import { pino, type Logger } from 'pino';

import { FairQueue } from '#server/platform/fair-queue.ts';
import { randomPool } from '#server/platform/random.ts';

import { theServer } from '../audit/origin.ts';
import { Recorder } from '../audit/recorder.ts';
import { cacheAudiences } from '../audiences.ts';
import { GroupCommit } from '../group-commit.ts';
import { schemaVersion } from '../migrations/index.ts';
import type { ReadStatement } from '../read-statement.ts';
import { recordMigration, type StorageOptions } from '../sqlite.ts';
import type { LongReads, Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { connectPools, onConnection } from './connections.ts';
import { CommitSignal } from './commit-signal.ts';
import { PostgresLeases } from './leases.ts';
import { writeLock } from './locks.ts';
import { migratePostgres } from './migrate.ts';
import { attachPipeline } from './pipeline.ts';
import { collectChanges, PostgresWatcher } from './watcher.ts';
import { Snapshots } from './snapshots.ts';

/** Longest duration of a write transaction, ms. */
const transactionMs = 5000;

/**
 * Opens (and migrates) a PostgreSQL database.
 *
 * - POSTGRES-1 One node writes at a time: a write transaction takes an advisory lock before it reads anything, and
 *   keeps it until after its commit. So numbers of the feed and of the audit log follow the order of commits, and
 *   whoever has seen a number has seen everything below it.
 * - POSTGRES-2 A node that stops in the middle of a transaction does not hold up others for more than 5 s.
 * - POSTGRES-25 At the start, a migration may take any time, and so may the wait for the migration of another node.
 * - POSTGRES-8 Write transactions of all nodes have the result of one after the other, as on SQLite.
 *
 * `url`: `postgres://user:password@host:port/database`.
 */
export async function openPostgres(
  url: string,
  {
    // oxlint-disable-next-line no-restricted-properties -- the default clock
    now = Date.now,
    randomBytes = randomPool(),
    acting = theServer,
    mustHaveRoom = () => undefined,
    log = pino({ level: 'silent' }),
  }: StorageOptions & { log?: Logger } = {},
): Promise<Storage> {
  const { found, watched } = await onConnection(url, 'migration', (db) => migratePostgres(db, randomBytes));
  const { reader, writer, writing, longReader, leases: renewing } = connectPools(url, log);
  const close = async (): Promise<void> => {
    await Promise.all([reader, writer, longReader, renewing].map((one) => one.destroy()));
  };
  try {
    cacheAudiences(reader);
    const snapshots = new Snapshots(reader);
    const listeners = new Set<() => void>();
    const signal = await CommitSignal.open(url, log, () => {
      snapshots.moved();
      for (const listener of listeners) listener();
    });
    const node = `${hostname()} ${process.pid} ${Buffer.from(randomBytes(6)).toString('hex')}`;
    const leases = new PostgresLeases(renewing, node, log);
    const group = new GroupCommit(writer, new Recorder(new PostgresWatcher(watched), now), {
      begun: async (tx) => {
        const client = writing();
        attachPipeline(tx, client);
        await client.query(beginning, []);
      },
      run: (statement) => void writing().send(statement, []),
      settled: () => writing().settle(),
      isOpen: () => true,
    });
    if (found < schemaVersion) await recordMigration(group, acting, found);
    return {
      kind: 'postgres',
      size: () => sizeOf(reader),
      async write(origin, work) {
        mustHaveRoom();
        const value = await group.run(origin, work);
        snapshots.moved();
        signal.send();
        return value;
      },
      waiting: () => group.waiting,
      version: () => snapshots.version,
      refresh: () => snapshots.refresh(),
      writer,
      reader,
      longReads: longReadsOf(longReader),
      checkpoint: () => undefined,
      followSettings: (load) => snapshots.followSettings(load),
      leases,
      whenChangedElsewhere(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async [Symbol.asyncDispose]() {
        await leases[Symbol.asyncDispose]();
        await signal[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function sizeOf(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(
    db,
  );
  return rows[0]?.size ?? 0;
}

/** The first statements of a write transaction, sent together. The wait for others does not count as its time. */
const beginning = `SELECT pg_advisory_xact_lock(${writeLock});
  SET LOCAL transaction_timeout = ${transactionMs};
  ${collectChanges}`;

function longReadsOf(db: Kysely<Tables>): LongReads {
  const queue = new FairQueue({ parallel: 1, mostWaiting: 50, mostOfOne: 10, retryAfterSeconds: 5 });
  const readAll = (statements: readonly ReadStatement[]): Promise<unknown[][]> =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const rows: unknown[][] = [];
        for (const { sql: text, parameters } of statements)
          rows.push((await tx.executeQuery({ ...sql.raw(text).compile(tx), parameters })).rows);
        return rows;
      });
  return { read: (caller, statements) => queue.run(caller, () => readAll(statements)) };
}
