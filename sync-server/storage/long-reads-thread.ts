import { parentPort, workerData } from 'node:worker_threads';

import BetterSqlite3 from 'better-sqlite3';

import type { ReadAnswer } from './long-reads.ts';
import type { ReadStatement } from './read-statement.ts';

const database = new BetterSqlite3(String(workerData), { readonly: true, fileMustExist: true });
database.pragma('busy_timeout = 5000');

/** Reads all statements as of one moment. */
const readAll = database.transaction((statements: readonly ReadStatement[]) =>
  statements.map(({ sql, parameters }) => database.prepare(sql).all(...parameters)),
);

function answerTo(statements: readonly ReadStatement[]): ReadAnswer {
  try {
    return { rows: readAll(statements) };
  } catch (error) {
    const code = error instanceof BetterSqlite3.SqliteError ? error.code : '';
    return { failed: error instanceof Error ? error.message : String(error), code };
  }
}

parentPort?.on('message', (statements: readonly ReadStatement[]) =>
  parentPort?.postMessage(answerTo(statements)),
);
