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
 */
export interface PipelinedClient extends PostgresPoolClient {
  /** Sends a statement whose answer nobody needs. */
  send(text: string, values: readonly unknown[]): void;
  /**
   * Waits for the answers to all that was sent.
   * @throws the error of the first statement since the last call that failed
   */
  settle(): Promise<void>;
}

/** Makes a connection a pipelined one. `ask` sends a statement, and resolves or rejects with its answer. */
export function pipelined(
  ask: (text: string, values: readonly unknown[]) => Promise<unknown>,
  release: PostgresPoolClient['release'],
): PipelinedClient {
  let failure: { error: unknown } | null = null;
  // Answers arrive in the order of the statements, so this is the last one to be answered.
  let last: Promise<void> = Promise.resolve();
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await ask(text, values);
    } catch (error) {
      // PostgreSQL refuses everything behind a statement that failed. Why that one failed says more.
      await last;
      throw failure === null ? error : failure.error;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    send(text, values) {
      last = ask(text, values).then(
        () => undefined,
        (error: unknown) => void (failure ??= { error }),
      );
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
export function pipelineOf(tx: Tx, client: PipelinedClient): void {
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
