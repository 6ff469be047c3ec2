import { readLine } from '#shared/sync/reading.ts';
import type { FeedHead, FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import { OtherHistory, Unreachable } from '../connection-errors.ts';
import { answerOf, linesAfterHead } from './answer.ts';
import { checkMirror, type MirrorCheck } from './check.ts';
import type { MirrorWriter } from './mirror-writer.ts';
import type { RecordsByKind } from '#desktop/engine/storage/mirror-collections.ts';

export interface FeedDeps {
  connection: ServerConnection;
  records: RecordsByKind;
  writer: MirrorWriter;
  /** Called before rows are stored. */
  onRowsReceived(rows: FeedRow[]): Promise<void>;
  /** Called after rows were stored; the mirror is now complete up to the checkpoint `place`. */
  stored(rows: FeedRow[], place: string): Promise<void>;
}

interface Page {
  rows: FeedRow[];
  place: string;
  more: boolean;
}

/** Feed rows that the server scans for one pull. */
const pageSize = 500;

/**
 * Follows the server's feed from a checkpoint. Rounds of pulling, rows of events and rows of responses are stored one
 * after the other, so that a pull never drops rows that arrived meanwhile. Rules MIRROR-3 to MIRROR-6 of README.md.
 */
export class Feed {
  readonly #deps: FeedDeps;
  readonly #history: string;
  #place: string;
  #steps: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(deps: FeedDeps, place: string, history: string) {
    this.#deps = deps;
    this.#place = place;
    this.#history = history;
  }

  /** The checkpoint up to which the mirror is complete. */
  get place(): string {
    return this.#place;
  }

  /** Pulls to the end of the feed; resolves when all rows are stored. */
  pull(): Promise<void> {
    return this.#inOrder(async () => {
      for await (const page of this.#pages()) await this.#store(page.rows, page.place);
    });
  }

  /** Stores rows of an event (with its checkpoint) or of a response (without one). */
  deliver(rows: FeedRow[], place?: string): Promise<void> {
    return this.#inOrder(() => this.#store(rows, place ?? this.#place));
  }

  /** Compares these kinds with the server (default: all) and corrects what differs; nothing else is stored meanwhile. */
  async check(kinds?: readonly SyncedCollection[]): Promise<MirrorCheck> {
    let result: MirrorCheck = { records: 0, differences: [] };
    await this.#inOrder(async () => {
      result = await checkMirror({ ...this.#deps, signal: this.#stopped.signal }, this.#place, kinds);
    });
    return result;
  }

  /** Cancels requests, and waits until current writes end. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#steps;
  }

  #inOrder(step: () => Promise<void>): Promise<void> {
    const result = this.#steps.then(() => {
      this.#mustGoOn();
      return step();
    });
    this.#steps = result.catch(() => undefined);
    return result;
  }

  #mustGoOn(): void {
    if (this.#stopped.signal.aborted) throw new Unreachable('The feed was stopped');
  }

  async #store(rows: FeedRow[], place: string): Promise<void> {
    this.#mustGoOn();
    await this.#deps.onRowsReceived(rows);
    await this.#deps.writer.storeNewer(rows);
    await this.#deps.stored(rows, place);
    this.#place = place;
  }

  /** The pages up to the end of the feed. While one is stored, only the next one is fetched (MIRROR-3). */
  async *#pages(): AsyncGenerator<Page> {
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, ended.signal]);
    try {
      let next: Promise<Page> | null = this.#fetch(this.#place, signal);
      while (next !== null) {
        const page: Page = await next;
        next = page.more ? this.#fetch(page.place, signal) : null;
        // The next iteration awaits it and handles a failure.
        next?.catch(() => undefined);
        yield page;
      }
    } finally {
      ended.abort();
    }
  }

  async #fetch(since: string, signal: AbortSignal): Promise<Page> {
    const { connection } = this.#deps;
    const answering = await answerOf(
      connection,
      connection.request(`/sync/1/pull?since=${encodeURIComponent(since)}&limit=${pageSize}`, {
        signal,
      }),
    );
    const rows: FeedRow[] = [];
    const mustBeSame = ({ history }: FeedHead): void => {
      if (history !== this.#history) throw new OtherHistory('The server has another history');
    };
    for await (const line of linesAfterHead(connection, answering, mustBeSame)) {
      const value = connection.parsed(answering, readLine, line);
      if ('checkpoint' in value) {
        connection.learnPlace(value.checkpoint);
        return { rows, place: value.checkpoint, more: value.more };
      }
      rows.push(...value.rows);
    }
    throw connection.foreign(answering);
  }
}
