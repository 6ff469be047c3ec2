import { Socket } from 'node:net';
import { nextTick } from 'node:process';

import type { PostgresPoolClient } from 'kysely';

import type { Db, Tx } from '../tables.ts';

/**
 * A connection whose statements may be sent before the ones ahead of them were answered. They run in the order in which
 * they were sent.
 *
 * - POSTGRES-22 A statement of a write that returns no rows is not waited for. If it fails, so does the work: its error
 *   is thrown by the next statement that returns rows, and at the latest before the work is kept. Nothing of the work is
 *   stored.
 * - POSTGRES-23 At most 100 statements are unanswered, so long work neither fills the memory nor keeps other requests
 *   waiting.
 */
export interface PipelinedClient extends PostgresPoolClient {
  /** Sends a statement whose answer nobody needs. Resolves at once, or, if too many are unanswered, when they are answered. */
  send(text: string, values: readonly unknown[]): Promise<void>;
  /**
   * Waits for the answers to all that was sent.
   * @throws the error of the first statement since the last call that failed
   */
  settle(): Promise<void>;
}

/** Most statements that are sent without an answer to the first of them. */
const mostUnanswered = 100;

/** Errors of statements behind one that failed: the transaction is aborted, and what they name was not prepared. */
const consequences: ReadonlySet<unknown> = new Set(['25P02', '26000']);

function isConsequence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && consequences.has(error.code);
}

/** Makes a connection a pipelined one. `ask` sends a statement, and resolves or rejects with its answer. */
export function pipelined(
  ask: (text: string, values: readonly unknown[]) => Promise<unknown>,
  release: PostgresPoolClient['release'],
): PipelinedClient {
  let failure: { error: unknown } | null = null;
  let unanswered = 0;
  // Answers arrive in the order of the statements, so this is the last one to be answered.
  let last: Promise<void> = Promise.resolve();
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await ask(text, values);
    } catch (error) {
      if (!isConsequence(error)) throw error;
      // PostgreSQL refuses everything behind a statement that failed. Why that one failed says more.
      await last;
      throw failure === null ? error : failure.error;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    async send(text, values) {
      unanswered += 1;
      last = ask(text, values)
        .catch((error: unknown) => void (failure ??= { error }))
        .then(() => void (unanswered -= 1));
      if (unanswered >= mostUnanswered) await last;
    },
    async settle() {
      await last;
      const first = failure;
      failure = null;
      if (first !== null) throw first.error;
    },
    release,
  };
}

const clients = new WeakMap<Db, PipelinedClient>();

/** Lets the prepared statements of a transaction use its connection directly. */
export function attachPipeline(tx: Tx, client: PipelinedClient): void {
  clients.set(tx, client);
}

/** The connection of a write transaction; undefined for anything else. */
export function findPipeline(db: Db): PipelinedClient | undefined {
  return clients.get(db);
}

/**
 * A socket that sends what is written to it in one turn of the event loop with one system call, which takes longer than
 * many statements. The driver holds back the messages of a statement until it has written all of them.
 */
export class BatchingSocket extends Socket {
  override uncork(): void {
    nextTick(() => super.uncork());
  }
}
