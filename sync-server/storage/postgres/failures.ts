import type { PostgresPool } from 'kysely';
import pg from 'pg';

import { DatabaseUnreachable } from '../unreachable.ts';
import { pipelined, type PipelinedClient } from './pipeline.ts';

/** Errors of the database that pass: it stops, starts, has no connection left, or ended work that took too long. */
const passing: ReadonlySet<unknown> = new Set([
  '25006', // It only reads: it is the copy of another one, or was until a moment ago.
  '25P03',
  '25P04',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);

/** Errors of the network. */
const network =
  /^E(?:AI_AGAIN|CONNABORTED|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOENT|NOTFOUND|PIPE|TIMEDOUT)$/;

/** What the driver says about a connection that broke, without a code. */
const broken =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e|Query read timeout)/;

/** What the driver says when a statement has no answer in time. */
const unanswered = 'Query read timeout';

/** Whether PostgreSQL refused a statement, or could not be asked. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof DatabaseUnreachable;
}

/** The error that the rest of the server gets for an error of the driver. */
function asKnown(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const passes =
    error instanceof pg.DatabaseError
      ? passing.has(code) || code.startsWith('08')
      : network.test(code) || broken.test(error.message);
  return passes ? new DatabaseUnreachable(error) : error;
}

async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asKnown(error);
  }
}

/**
 * A pool for Kysely, whose errors say whether the work may be repeated.
 *
 * - POSTGRES-20 While PostgreSQL cannot be reached, or takes no connection, calls answer 503 with `Retry-After` and the code
 *   `database-unreachable`, and the server continues. A call with an `Idempotency-Key` may be repeated: it takes effect
 *   once, also if its first answer was lost with the connection.
 * - POSTGRES-21 A connection that was cut without a notice (a failover, a firewall) is given up when a statement has no
 *   answer in time, and replaced by the next statement.
 *
 * `handedOut` gets each connection that the pool gives to Kysely.
 */
export function withKnownFailures(
  pool: pg.Pool,
  handedOut: (client: PipelinedClient) => void = () => undefined,
): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PipelinedClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      // Calls may be repeated whatever the reason: somebody may just be changing the password or the rights.
      const client = await pool.connect().catch((error: unknown) => {
        throw error instanceof Error ? new DatabaseUnreachable(error) : error;
      });
      const wrapped = clients.get(client) ?? wrap(client);
      clients.set(client, wrapped);
      handedOut(wrapped);
      return wrapped;
    },
  };
}

function wrap(client: pg.PoolClient): PipelinedClient {
  let silent: DatabaseUnreachable | null = null;
  const ask = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    // Whatever is sent behind a statement without an answer has none either.
    if (silent !== null) throw silent;
    try {
      return await known(client.query(text, [...values]));
    } catch (error) {
      if (error instanceof DatabaseUnreachable && isUnanswered(error.cause)) silent = error;
      throw error;
    }
  };
  return pipelined(ask, (discarded?: boolean) => client.release(discarded === true || silent !== null));
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === unanswered;
}
