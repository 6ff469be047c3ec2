import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import type { Logger } from 'pino';
import pg from 'pg';

import { BadSetting } from '#server/platform/config.ts';
import { must } from '#shared/must.ts';

import type { Tables } from '../tables.ts';
import { withKnownFailures } from './failures.ts';
import { useNames } from './named-statements.ts';
import { BatchingSocket, type PipelinedClient } from './pipeline.ts';
import { writingConnection } from './watcher.ts';

/** Most connections of a node for reads. */
const mostReaders = 8;

/** After this time without a statement, a transaction is ended by the database, so that it cannot hold up others, ms. */
const idleInTransactionMs = 5000;

/** Longest wait for a connection, ms. */
const connectMs = 10_000;

const { builtins } = pg.types;

/**
 * Longest wait for the answer to a statement, ms. What takes longer had its connection cut without a notice. `query_timeout`
 * in the address of the database changes all of them. Work on a connection of its own (`onConnection`) has no such limit.
 */
const answerMs = { read: 30_000, write: 30_000, report: 600_000, lease: 4000 } as const;

/** Numbers that PostgreSQL sends as text, because they may be larger than those of JavaScript; ours never are. */
const numbers: ReadonlySet<number> = new Set([builtins.INT8, builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    numbers.has(oid)
      ? Number
      : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
};

/**
 * - STORAGE-38 A condition may name an empty list: no value is in it. PostgreSQL has no such condition, so it becomes
 *   one that is always false, or always true for `not in`.
 */
const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];

/** The connections of a node to its database. */
export interface Connections {
  reader: Kysely<Tables>;
  /** One connection for all write transactions, which run one after the other. */
  writer: Kysely<Tables>;
  /** The connection of the running write transaction. */
  writing: () => PipelinedClient;
  /** One connection for reads that take long. */
  longReader: Kysely<Tables>;
  /** One connection that renews leases. */
  leases: Kysely<Tables>;
}

/** Opens pools of connections to the database at `url` (`postgres://…`). They connect when they are first used. */
export function connectPools(url: string, log: Logger): Connections {
  const pool = (max: number, name: string, longest: number, more: pg.PoolConfig = {}): pg.Pool => {
    const one = new pg.Pool({
      connectionString: url,
      max,
      types,
      application_name: `benchbook ${name}`,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      connectionTimeoutMillis: connectMs,
      query_timeout: longest,
      keepAlive: true,
      ...more,
    });
    // A connection that breaks is replaced when the next statement needs one; a statement that waits for it is refused.
    const broke = (error: Error): void => log.warn({ err: error }, 'a connection to PostgreSQL broke');
    one.on('error', broke);
    one.on('connect', (client) => {
      client.on('error', broke);
      useNames(client);
    });
    return one;
  };
  const writing = pool(1, 'writes', answerMs.write, { pipeline: true, stream: () => new BatchingSocket() });
  writing.on('connect', (client) => {
    client
      .query(writingConnection)
      .catch((error: unknown) => log.error({ err: error }, 'cannot prepare writes'));
  });
  let current: PipelinedClient | undefined;
  const kysely = (of: pg.Pool, handedOut?: (client: PipelinedClient) => void): Kysely<Tables> =>
    new Kysely({ dialect: new PostgresDialect({ pool: withKnownFailures(of, handedOut) }), plugins });
  return {
    reader: kysely(pool(mostReaders, 'reads', answerMs.read)),
    writer: kysely(writing, (client) => void (current = client)),
    writing: () => must(current, 'a write transaction'),
    longReader: kysely(pool(1, 'reports', answerMs.report)),
    leases: kysely(pool(1, 'leases', answerMs.lease)),
  };
}

/** Limits that the server may have for other statements. */
const noLimits =
  'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET transaction_timeout = 0';

/** Runs work on one connection to the database at `url`, whose statements may take any time. `name`: what it is for. */
export async function onConnection<T>(
  url: string,
  name: string,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const address = new URL(url);
  address.searchParams.delete('query_timeout');
  const pool = new pg.Pool({
    connectionString: address.href,
    max: 1,
    types,
    application_name: `benchbook ${name}`,
    connectionTimeoutMillis: connectMs,
  });
  // It is used at once, and whoever uses it learns of the error.
  const ignore = (): void => undefined;
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  const all = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withKnownFailures(pool) }),
    plugins,
  });
  try {
    return await all.connection().execute(async (db) => {
      await mustSuit(db);
      await sql.raw(noLimits).execute(db);
      return work(db);
    });
  } finally {
    await all.destroy();
  }
}

/** The oldest version of PostgreSQL that has all that Benchbook uses. */
const oldestVersion = 17;

/**
 * - POSTGRES-24 A database of PostgreSQL before 17, or in another encoding than UTF-8, is refused at the start. In another
 *   encoding, texts would be refused one by one, or compared wrongly.
 *
 * @throws BadSetting
 */
async function mustSuit(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`.execute(
    db,
  );
  const { version, encoding } = must(rows[0], 'the settings of PostgreSQL');
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new BadSetting(
      `The database is on PostgreSQL ${version}; Benchbook needs version ${oldestVersion} or later.`,
    );
  if (encoding !== 'UTF8')
    throw new BadSetting(
      `The database has the encoding ${encoding}; Benchbook needs UTF8. Make another one with: createdb --encoding UTF8 --template template0 NAME`,
    );
}
