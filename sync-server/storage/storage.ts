import type { Kysely } from 'kysely';

import type { AuditNote, Origin } from './audit/origin.ts';
import type { Leases } from './leases.ts';
import type { ReadStatement } from './read-statement.ts';
import type { Tables, Tx } from './tables.ts';

/** Reads that take long, because they count everything that matches. */
export interface LongReads {
  /**
   * The rows of each statement, all of one moment. People take turns.
   * @throws Problem 503 `server-busy` if too much is waiting
   */
  read(caller: string, statements: readonly ReadStatement[]): Promise<unknown[][]>;
}

/** An open database, on SQLite or PostgreSQL. */
export interface Storage extends AsyncDisposable {
  kind: 'sqlite' | 'postgres';
  /** The writing connection, for its settings. Writes outside of `write` are refused. */
  writer: Kysely<Tables>;
  /** Reads outside transactions. They do not wait for writes. */
  reader: Kysely<Tables>;
  /** Reads that other requests do not wait for. */
  longReads: LongReads;
  /**
   * Runs work in a write transaction, which it may share with other waiting work; resolves after the commit. The audit
   * log then contains its changes, attributed to `origin`, and what the work added to `note`. On PostgreSQL, work
   * waits while another node writes.
   */
  write<T>(origin: Origin, work: (tx: Tx, note: AuditNote) => Promise<T>): Promise<T>;
  /** Moves the write-ahead log into the database and truncates it, where the database is a file. */
  checkpoint(): void;
  /** Bytes of the database, including its indexes. */
  size(): Promise<number>;
  /**
   * Calls `listener` soon after other processes wrote: on SQLite within half a second, on PostgreSQL within some
   * milliseconds. Returns the function that stops this.
   */
  whenChangedElsewhere(listener: () => void): () => void;
  /** How many writes wait for the connection. */
  waiting(): number;
  /**
   * A number that changes with every commit that this process knows of: on SQLite all of any process, on PostgreSQL
   * those before the last `refresh`.
   */
  version(): number;
  /** Learns of the commits of other nodes, so that `version` covers them. undefined: it always does. */
  refresh?: () => Promise<void>;
  /** Makes `refresh` wait for `load` whenever another node may have changed the settings of the site. */
  followSettings?: (load: () => Promise<void>) => void;
  /** What one node at a time may do. undefined: this process does all work of the site. */
  leases?: Leases;
}
