import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';

import { theServer, ownOrigin, type Acting, type AuditNote, type Origin } from './audit/origin.ts';
import { Recorder } from './audit/recorder.ts';
import { randomPool } from '#server/platform/random-pool.ts';

import { keepAudiences } from './audiences.ts';
import { GroupCommit } from './group-commit.ts';
import { keepDocuments } from './document-cache.ts';
import { migrate, schemaVersion } from './migrations/index.ts';
import { runDirectly } from './prepared.ts';
import type { Tables, Tx } from './tables.ts';

/** Name of the database in a data folder. */
export const databaseName = 'benchbook.sqlite';

/** Statements kept prepared per connection; lists of varying length make many texts, so the cache is bounded. */
const statementCacheSize = 500;

/** An open database: one writer and, beside it, read-only connections that no write transaction blocks. */
export interface Storage extends AsyncDisposable {
  /** The writing connection itself, for settings of it. What it writes outside of `write` is refused. */
  writer: Kysely<Tables>;
  /** Reads outside transactions. */
  reader: Kysely<Tables>;
  /**
   * Runs work in a write transaction, which it may share with other work that waits; resolves after the commit. What it
   * changed is in the audit log by then, as done by `origin`; `note`: what the work says of it beyond that.
   */
  write<T>(origin: Origin, work: (tx: Tx, note: AuditNote) => Promise<T>): Promise<T>;
  /** Size of the write-ahead log truncated into the database; called before a backup or at shutdown. */
  checkpoint(): void;
  /** Whether another process wrote since this was asked last. */
  changedElsewhere(): boolean;
  /** How many writes wait for the connection. */
  waiting(): number;
  /** Another number after every commit, whoever made it. */
  version(): number;
}

interface Options {
  /** Wall clock, ms. */
  now?: () => number;
  /** Cryptographic randomness. */
  randomBytes?: (size: number) => Uint8Array;
  acting?: Acting;
  /** Throws where nothing may be written. */
  mustHaveRoom?: () => void;
}

/**
 * Opens (and migrates) the SQLite file at `path`. WAL, `synchronous=FULL` and `foreign_keys=ON` are set on every
 * connection, because better-sqlite3 falls back to NORMAL when a WAL database is opened again.
 */
export async function openSqlite(
  path: string,
  // oxlint-disable-next-line no-restricted-properties -- unless one is injected
  {
    now = Date.now,
    randomBytes = randomPool(),
    acting = theServer,
    mustHaveRoom = () => undefined,
  }: Options = {},
): Promise<Storage> {
  const writing = connect(path, false);
  const writes = withStatementCache(holdingWhileWriting(writing));
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writes }) });
  let found: number;
  try {
    found = await migrate(writer, { randomBytes });
  } catch (error) {
    writing.close();
    throw error;
  }
  const reading = connect(path, true);
  const reads = withStatementCache(reading);
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: reads }) });
  runDirectly(reader, reads);
  keepDocuments(reader);
  keepAudiences(reader);
  // SQLite counts for each connection what others committed; in this process only the writer writes.
  const dataVersion = (): unknown => writing.pragma('data_version', { simple: true });
  let seenVersion = dataVersion();
  const commits = reading.prepare('PRAGMA data_version').pluck();
  const recorder = new Recorder(writing, now);
  const group = new GroupCommit(writer, writes, () => writing.inTransaction, { recorder, reader });
  if (found < schemaVersion)
    await group.run(ownOrigin({ acting }, 'migrate'), async (_, note) => {
      note.outcome = 'done';
      note.object = { kind: 'database', id: '' };
      note.facts = { from: found, to: schemaVersion };
    });
  return {
    async write(origin, work) {
      mustHaveRoom();
      return group.run(origin, work);
    },
    waiting: () => group.waiting,
    version: () => commits.get() as number,
    writer,
    reader,
    checkpoint() {
      writing.pragma('wal_checkpoint(TRUNCATE)');
    },
    changedElsewhere() {
      const version = dataVersion();
      const changed = version !== seenVersion;
      seenVersion = version;
      return changed;
    },
    async [Symbol.asyncDispose]() {
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** Together as long as the busy timeout, ms. */
const walPauseMs = 20;
const walTries = 250;

function connect(path: string, readonly: boolean): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path, { readonly });
  connection.pragma('busy_timeout = 5000');
  if (!readonly) switchToWal(connection);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  return connection;
}

/**
 * While two processes open a new database, the change to WAL of one is refused at once whatever the busy timeout says,
 * since SQLite does not wait where each could be waiting for the other.
 */
function switchToWal(connection: BetterSqlite3.Database): void {
  for (let left = walTries; ; left -= 1)
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_BUSY';
      if (!isBusy || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walPauseMs);
    }
}

/** What the cache needs of a connection. */
interface Preparing {
  prepare(text: string): unknown;
  close(): unknown;
  readonly inTransaction: boolean;
}

/**
 * A transaction that may write holds the database for writing from its beginning. One that had only read so far would be
 * refused at its first write, without waiting, when another process (the command line) wrote meanwhile.
 */
function holdingWhileWriting(connection: BetterSqlite3.Database): Preparing {
  return {
    prepare: (text) => connection.prepare(text.toLowerCase() === 'begin' ? 'begin immediate' : text),
    close: () => connection.close(),
    get inTransaction() {
      return connection.inTransaction;
    },
  };
}

/** A full disk ends a transaction by itself; rolling it back again would hide why. */
const nothingToRollBack: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

/** Keeps at most `size` statements prepared; the one that was not used for longest goes first. */
export function withStatementCache(connection: Preparing, size: number = statementCacheSize): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({
    max: size,
    memoMethod: (text) => connection.prepare(text) as SqliteStatement,
  });
  return {
    close: () => {
      statements.clear();
      connection.close();
    },
    prepare(text: string): SqliteStatement {
      if (text.toLowerCase() === 'rollback' && !connection.inTransaction) return nothingToRollBack;
      return statements.memo(text);
    },
  };
}
