import { setImmediate as letOthersIn } from 'node:timers/promises';

import type { SqliteDatabase } from 'kysely';

import type { AuditNote, Origin } from './audit/origin.ts';
import type { Recorder } from './audit/recorder.ts';

import { readBeside } from './document-cache.ts';
import { runDirectly } from './prepared.ts';
import type { Db, Tx } from './tables.ts';

/** At most this many pieces of work share a transaction, so that none waits long for the others. */
const mostTogether = 16;

const savepoint = { begin: 'SAVEPOINT piece', keep: 'RELEASE piece', undo: 'ROLLBACK TO piece' } as const;

interface Job {
  /** Does the work, and returns what tells its asker so after the commit. */
  perform: (tx: Tx) => Promise<() => void>;
  reject: (error: unknown) => void;
}

/**
 * Runs work in write transactions. What waits while one commits goes into the next together and shares its wait for the
 * disk; each piece stands or falls by itself, in order, and is answered for after the commit. What a piece changed is in
 * the audit log by the same commit.
 */
export class GroupCommit {
  readonly #db: Db;
  readonly #connection: SqliteDatabase;
  readonly #isOpen: () => boolean;
  readonly #recorder: Recorder;
  readonly #reader: Db;
  #waiting: Job[] = [];
  #isRunning = false;

  /** `isOpen`: whether the connection is in a transaction; a full disk ends one by itself. `reader`: reads what is committed. */
  constructor(
    db: Db,
    connection: SqliteDatabase,
    isOpen: () => boolean,
    { recorder, reader }: { recorder: Recorder; reader: Db },
  ) {
    this.#db = db;
    this.#connection = connection;
    this.#isOpen = isOpen;
    this.#recorder = recorder;
    this.#reader = reader;
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
      // SQLite answers at once, so that a transaction runs to its end before the next request is even read. What has
      // arrived by now is read first, and shares the wait for the disk.
      await letOthersIn();
      await this.#runTogether(this.#waiting.splice(0, mostTogether));
    }
    this.#isRunning = false;
  }

  async #runTogether(jobs: Job[]): Promise<void> {
    try {
      const answers = await this.#db.transaction().execute(async (tx) => {
        runDirectly(tx, this.#connection);
        readBeside(tx, this.#reader);
        const done: (() => void)[] = [];
        for (const job of jobs) done.push(await this.#attempt(job, tx, jobs.length === 1));
        return done;
      });
      for (const answer of answers) answer();
    } catch (error) {
      // Nothing of it was stored, whoever it was of.
      for (const job of jobs) job.reject(error);
    }
  }

  /** Does one piece and returns how it is answered after the commit. Alone it needs no savepoint: it is the transaction. */
  async #attempt(job: Job, tx: Tx, isAlone: boolean): Promise<() => void> {
    if (isAlone) return job.perform(tx);
    this.#run(savepoint.begin);
    try {
      const answer = await job.perform(tx);
      this.#run(savepoint.keep);
      return answer;
    } catch (error) {
      if (!this.#isOpen()) throw error;
      this.#run(savepoint.undo);
      this.#run(savepoint.keep);
      return () => job.reject(error);
    }
  }

  #run(statement: string): void {
    this.#connection.prepare(statement).run([]);
  }
}
