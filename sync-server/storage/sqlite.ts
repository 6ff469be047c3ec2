import { stat } from 'node:fs/promises';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import { randomPool } from '#server/platform/random.ts';

import { theServer, ownOrigin, type Acting } from './audit/origin.ts';
import { Recorder } from './audit/recorder.ts';
import { Watcher } from './audit/watcher.ts';
import { cacheAudiences } from './audiences.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteLongReads } from './long-reads.ts';
import { migrate, schemaVersion } from './migrations/index.ts';
import { mustNotHaveMoved } from './move/marks.ts';
import { runDirectly } from './prepared.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';

/** Interval of the check whether another process (the command line) wrote, ms. */
const lookMs = 500;

/** Name of the database in a data folder. */
export const databaseName = 'benchbook.sqlite';

/** Maximum number of prepared statements per connection: lists of varying length make many different texts. */
const statementCacheSize = 500;

/** What a database is opened with. */
export interface StorageOptions {
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
  {
    // oxlint-disable-next-line no-restricted-properties -- the default clock
    now = Date.now,
    randomBytes = randomPool(),
    acting = theServer,
    mustHaveRoom = () => undefined,
  }: StorageOptions = {},
): Promise<Storage> {
  const writing = connect(path, false);
  const writes = withStatementCache(withImmediateTransactions(writing));
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writes }) });
  let found: number;
  try {
    await mustNotHaveMoved(writer);
    found = await migrate(writer, { randomBytes });
  } catch (error) {
    writing.close();
    throw error;
  }
  const reading = connect(path, true);
  const reads = withStatementCache(reading);
  const reader = new Kysely<Tables>({ dialect: new SqliteDialect({ database: reads }) });
  runDirectly(reader, reads);
  cacheAudiences(reader);
  // For each connection, SQLite counts the commits of others. In this process only the writer writes.
  const dataVersion = (): unknown => writing.pragma('data_version', { simple: true });
  const commits = reading.prepare('PRAGMA data_version').pluck();
  const recorder = new Recorder(new Watcher(writing), now);
  const longReads = new SqliteLongReads(path);
  const group = new GroupCommit(writer, recorder, {
    begun: async (tx) => runDirectly(tx, writes),
    run: (statement) => void writes.prepare(statement).run([]),
    settled: async () => undefined,
    isOpen: () => writing.inTransaction,
  });
  if (found < schemaVersion) await recordMigration(group, acting, found);
  return {
    kind: 'sqlite',
    size: async () => (await stat(path)).size,
    async write(origin, work) {
      mustHaveRoom();
      return group.run(origin, work);
    },
    waiting: () => group.waiting,
    version: () => commits.get() as number,
    writer,
    reader,
    longReads,
    checkpoint() {
      writing.pragma('wal_checkpoint(TRUNCATE)');
    },
    whenChangedElsewhere(listener) {
      let seen = dataVersion();
      const timer = setInterval(() => {
        const version = dataVersion();
        if (version === seen) return;
        seen = version;
        listener();
      }, lookMs).unref();
      return () => clearInterval(timer);
    },
    async [Symbol.asyncDispose]() {
      await longReads[Symbol.asyncDispose]();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** Adds the row of a migration to the audit log. `from`: the previous schema version. */
export async function recordMigration(group: GroupCommit, acting: Acting, from: number): Promise<void> {
  await group.run(ownOrigin({ acting }, 'migrate'), async (_, note) => {
    note.outcome = 'done';
    note.object = { kind: 'database', id: '' };
    note.facts = { from, to: schemaVersion };
  });
}

/** Retries of the switch to WAL; together they take as long as the busy timeout. */
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
 * Switches to WAL. If two processes open a new database, SQLite refuses the switch of one immediately, regardless of
 * the busy timeout, because waiting could be a deadlock. So it is retried.
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

/** The part of a connection that the statement cache uses. */
interface Preparing {
  prepare(text: string): unknown;
  close(): unknown;
  readonly inTransaction: boolean;
}

/**
 * Begins transactions with the write lock (`BEGIN IMMEDIATE`). Otherwise a transaction that has only read would be
 * refused at its first write, without waiting, if another process (the command line) wrote meanwhile.
 */
function withImmediateTransactions(connection: BetterSqlite3.Database): Preparing {
  return {
    prepare: (text) => connection.prepare(text.toLowerCase() === 'begin' ? 'begin immediate' : text),
    close: () => connection.close(),
    get inTransaction() {
      return connection.inTransaction;
    },
  };
}

/** Replaces a rollback without a transaction: a full disk has already ended it, and an error would hide the reason. */
const nothingToRollBack: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};

/** Caches up to `size` prepared statements; the least recently used one is removed first. */
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

/** Error codes of the database and the file system for a full disk. */
const fullDiskCodes: ReadonlySet<unknown> = new Set([
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
  'ENOSPC',
  // PostgreSQL.
  '53100',
  'EDQUOT',
]);

/** For the `catch` of work that can wait: on a full disk it is left for the next start. Other errors are thrown. */
export function unlessFull(log: Logger): (error: unknown) => undefined {
  return (error) => {
    if (!isFullDisk(error)) throw error;
    log.warn({ err: error }, 'left for the next start, because the disk is full');
  };
}

/** Whether an error, or its cause, means that the disk is full. */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && fullDiskCodes.has(error.code)) || isFullDisk(error.cause);
}
