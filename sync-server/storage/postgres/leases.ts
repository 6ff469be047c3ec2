import { sql } from 'kysely';
import type { Logger } from 'pino';

import { LeaseLost, type Lease, type Leases } from '../leases.ts';
import type { Db, Tx } from '../tables.ts';

/** How long a lease lasts unless it is renewed, and how often it is renewed, ms. */
export interface LeaseTimes {
  lastsMs: number;
  renewMs: number;
}

const usualTimes: LeaseTimes = { lastsMs: 10_000, renewMs: 2500 };

interface Held {
  name: string;
  term: number;
  /** When the last successful renewal began, by the clock of the process, ms. */
  renewedAt: number;
  ending: AbortController;
}

/**
 * Leases in the table `leases`.
 *
 * - LEASE-1 A node has a lease until it gives it back, or does not renew it for 10 seconds by the clock of the database.
 *   Then another node can take it.
 * - LEASE-2 A node that lost a lease (it was paused, or cut off from the database) writes nothing more under it: each
 *   write checks the lease in its transaction, and nobody can take it before the end of that transaction.
 */
export class PostgresLeases implements Leases, AsyncDisposable {
  readonly #db: Db;
  readonly #node: string;
  readonly #log: Logger;
  readonly #times: LeaseTimes;
  /** By name: the transaction that took a lease may have failed, and another one takes it. */
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();

  /** `db`: a connection of its own, so that renewing waits for nothing else. `node`: the name of this process. */
  constructor(db: Db, node: string, log: Logger, times: LeaseTimes = usualTimes) {
    this.#db = db;
    this.#node = node;
    this.#log = log;
    this.#times = times;
    this.#timer = setInterval(() => this.#tick(), times.renewMs).unref();
  }

  async isFree(name: string): Promise<boolean> {
    const { rows } =
      await sql`SELECT 1 FROM leases WHERE name = ${name} AND ends > clock_timestamp()`.execute(this.#db);
    return rows.length === 0;
  }

  async take(name: string, tx: Tx): Promise<Lease | null> {
    const renewedAt = elapsed();
    const { rows } = await sql<{ term: number }>`
      INSERT INTO leases (name, node, term, ends) VALUES (${name}, ${this.#node}, 1, ${this.#end()})
      ON CONFLICT (name) DO UPDATE SET node = excluded.node, term = leases.term + 1, ends = excluded.ends
      WHERE leases.ends <= clock_timestamp() RETURNING term`.execute(tx);
    const [row] = rows;
    if (row === undefined) return null;
    const held: Held = { name, term: row.term, renewedAt, ending: new AbortController() };
    this.#held.set(name, held);
    return {
      signal: held.ending.signal,
      mustHold: async (db) => {
        if (this.#held.get(name) !== held || !(await this.#isMine(held, db))) {
          this.#lose(held);
          throw new LeaseLost(name);
        }
      },
      release: async () => {
        if (!this.#forget(held)) return;
        await sql`UPDATE leases SET ends = clock_timestamp() WHERE ${this.#row(held)}`
          .execute(this.#db)
          .catch((error: unknown) => this.#log.warn({ err: error, lease: name }, 'a lease ends by itself'));
      },
    };
  }

  async #isMine(held: Held, db: Db): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM leases WHERE ${this.#row(held)} FOR KEY SHARE`.execute(db);
    return rows.length > 0;
  }

  #row({ name, term }: Held) {
    return sql`name = ${name} AND node = ${this.#node} AND term = ${term}`;
  }

  #end() {
    return sql`clock_timestamp() + ${this.#times.lastsMs} * INTERVAL '1 millisecond'`;
  }

  #tick(): void {
    for (const held of this.#held.values())
      if (elapsed() - held.renewedAt >= this.#times.lastsMs) this.#lose(held);
    if (this.#held.size === 0) return;
    this.#renewing = this.#renewing
      .then(() => this.#renew())
      .catch((error: unknown) => this.#log.warn({ err: error }, 'leases could not be renewed'));
  }

  async #renew(): Promise<void> {
    for (const held of this.#held.values()) {
      const begun = elapsed();
      const { rows } = await sql`
        UPDATE leases SET ends = ${this.#end()} WHERE ${this.#row(held)} RETURNING term`.execute(this.#db);
      if (rows.length > 0) held.renewedAt = begun;
      // The transaction that takes it may not have been committed yet.
      else if (begun - held.renewedAt >= this.#times.renewMs) this.#lose(held);
    }
  }

  #lose(held: Held): void {
    if (!this.#forget(held)) return;
    this.#log.warn({ lease: held.name }, 'this node lost a lease');
    held.ending.abort(new LeaseLost(held.name));
  }

  #forget(held: Held): boolean {
    return this.#held.get(held.name) === held && this.#held.delete(held.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    this.#held.clear();
  }
}

/** Milliseconds by the clock of the process. */
function elapsed(): number {
  // oxlint-disable-next-line no-restricted-properties -- measures waits of timers
  return performance.now();
}
