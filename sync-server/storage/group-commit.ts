import { setImmediate as otherRequests } from 'node:timers/promises';

import type { AuditNote, Origin } from './audit/origin.ts';
import type { Recorder } from './audit/recorder.ts';

import type { Db, Tx } from './tables.ts';

/** Maximum number of pieces of work in a transaction, so that none waits long for the others. */
const mostTogether = 16;

/** Time after which other requests get a turn between two pieces of work, ms. */
const mostAtOnceMs = 20;

const savepoint = { begin: 'SAVEPOINT piece', keep: 'RELEASE piece', undo: 'ROLLBACK TO piece' } as const;

interface Job {
  /** Does the work. The returned function is called after the commit and resolves the caller's promise. */
  perform: (tx: Tx) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/** What differs between databases in a transaction of several pieces of work. */
export interface GroupTransactions {
  /** Prepares a transaction that just began. */
  begun(tx: Tx): Promise<void>;
  /** Runs a statement about a savepoint in the transaction. It may still be on its way when this returns. */
  run(statement: string): void;
  /**
   * Waits until everything was done that ran in the transaction.
   * @throws the error of the first statement that failed since the last call
   */
  settled(): Promise<void>;
  /** Whether the transaction is still open; a full disk ends one on SQLite. */
  isOpen(): boolean;
}

/**
 * Runs pieces of work in write transactions. Pieces that wait while one transaction commits share the next transaction
 * and its wait for the disk (GROUP-COMMIT-1). Each succeeds or fails alone, in order, and its promise resolves after
 * the commit. The same commit contains its row of the audit log.
 */
export class GroupCommit {
  readonly #db: Db;
  readonly #recorder: Recorder;
  readonly #transactions: GroupTransactions;
  #waiting: Job[] = [];
  #isRunning = false;

  constructor(db: Db, recorder: Recorder, transactions: GroupTransactions) {
    this.#db = db;
    this.#recorder = recorder;
    this.#transactions = transactions;
  }

  /** How many pieces of work wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  run<T>(origin: Origin, work: (tx: Tx, note: AuditNote) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const perform = async (tx: Tx): Promise<() => void> => {
        const value = await this.#recorder.record(tx, origin, work);
        return () => resolve(value);
      };
      this.#waiting.push({ perform, reject });
      void this.#start();
    });
  }

  async #start(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // SQLite is synchronous, so a transaction would finish before the next request is even read. Requests that have
      // arrived by now are read first and share the transaction (GROUP-COMMIT-4).
      await otherRequests();
      await this.#runTogether(this.#waiting.splice(0, mostTogether));
    }
    this.#isRunning = false;
  }

  async #runTogether(jobs: Job[]): Promise<void> {
    try {
      const answers = await this.#db.transaction().execute(async (tx) => {
        await this.#transactions.begun(tx);
        const done: (() => void)[] = [];
        let begun = workTime();
        for (const job of jobs) {
          // Requests that only read need not wait for all pieces.
          if (workTime() - begun > mostAtOnceMs) {
            await otherRequests();
            begun = workTime();
          }
          done.push(await this.#attempt(job, tx, jobs.length === 1));
        }
        return done;
      });
      for (const answer of answers) answer();
    } catch (error) {
      // The commit failed, so nothing of any piece was stored.
      for (const job of jobs) job.reject(error);
    }
  }

  /** Runs one piece of work. Returns the function to call after the commit. A single piece needs no savepoint. */
  async #attempt(job: Job, tx: Tx, isAlone: boolean): Promise<() => void> {
    const transactions = this.#transactions;
    if (!isAlone) transactions.run(savepoint.begin);
    try {
      const answer = await job.perform(tx);
      if (!isAlone) transactions.run(savepoint.keep);
      await transactions.settled();
      return answer;
    } catch (error) {
      // What else failed is a consequence.
      await transactions.settled().catch(() => undefined);
      if (isAlone || !transactions.isOpen()) throw error;
      transactions.run(savepoint.undo);
      transactions.run(savepoint.keep);
      await transactions.settled();
      return () => job.reject(error);
    }
  }
}

/** Milliseconds by the clock of the process, to measure work. */
function workTime(): number {
  // oxlint-disable-next-line no-restricted-properties -- not a time of day
  return performance.now();
}

/**
 * Runs parts of a write at the same time, so that their statements travel together, and throws the first error.
 *
 * - GROUP-COMMIT-6 If one part fails, the work fails when the other parts have ended too. What they would store later is
 *   undone with the work; otherwise it would be part of the work that follows.
 */
export async function together(...parts: readonly Promise<void>[]): Promise<void> {
  const failures: unknown[] = [];
  await Promise.all(parts.map((part) => part.catch((error: unknown) => void failures.push(error))));
  if (failures.length > 0) throw failures[0];
}
