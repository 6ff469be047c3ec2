import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { FairQueue } from '#server/platform/fair-queue.ts';

import type { ReadStatement } from './read-statement.ts';
import type { LongReads } from './storage.ts';

/** The answer of the thread: the rows of each statement, or an error of SQLite. */
export type ReadAnswer = { rows: unknown[][] } | { failed: string; code: string };

/**
 * Long reads on SQLite.
 *
 * - BUDGET-5 Reports are counted by a thread with a connection of its own, one after the other, so no other request waits for
 *   them. People take turns (BUDGET-1); of each, ten may wait, and fifty in total.
 */
export class SqliteLongReads implements LongReads, AsyncDisposable {
  readonly #path: string;
  readonly #queue = new FairQueue({ parallel: 1, mostWaiting: 50, mostOfOne: 10, retryAfterSeconds: 5 });
  /** Starts when it is first needed, and anew if it ended. */
  #thread: Worker | null = null;

  /** `path`: of the database. */
  constructor(path: string) {
    this.#path = path;
  }

  read(caller: string, statements: readonly ReadStatement[]): Promise<unknown[][]> {
    return this.#queue.run(caller, () => this.#ask(statements));
  }

  async #ask(statements: readonly ReadStatement[]): Promise<unknown[][]> {
    const thread = (this.#thread ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>();
    const onExit = (): void => reject(new Error('The thread for long reads ended'));
    thread.once('message', resolve).once('error', reject).once('exit', onExit);
    thread.postMessage(statements.map(({ sql, parameters }) => ({ sql, parameters })));
    // The server stays until it has answered.
    thread.ref();
    try {
      const answer = await promise;
      if ('failed' in answer) throw Object.assign(new Error(answer.failed), { code: answer.code });
      return answer.rows;
    } finally {
      thread.unref();
      thread.off('message', resolve).off('error', reject).off('exit', onExit);
    }
  }

  #start(): Worker {
    const thread = new Worker(fileURLToPath(new URL('long-reads-thread.ts', import.meta.url)), {
      workerData: this.#path,
    });
    const forget = (): void => {
      if (this.#thread === thread) this.#thread = null;
    };
    return thread.on('exit', forget).on('error', forget);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate();
  }
}
