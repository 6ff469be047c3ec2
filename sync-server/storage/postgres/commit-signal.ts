import pg from 'pg';
import type { Logger } from 'pino';

const channel = 'benchbook_committed';

/** Longest time between a commit and its notification, ms. */
const soonMs = 10;

/** Interval of the check whether something was committed that nobody told of, ms. */
const lookMs = 2000;

/** Longest wait for the answer to a statement, ms. */
const answerMs = 5000;

/** Wait before a broken connection is opened again, ms. */
const retryMs = 500;

/**
 * Tells other nodes that something was committed, and hears it from them.
 *
 * - POSTGRES-4 A notification is empty, follows a commit within 10 ms, and covers all commits since the last one. It is
 *   not part of a write transaction, because `NOTIFY` makes commits wait for each other.
 * - POSTGRES-11 If a node dies before its notification, the others notice its commits within 2 s.
 * - POSTGRES-5 After its connection broke, a node hears of everything that was committed meanwhile. A node that stops keeps
 *   no connection, nor does an attempt that failed.
 */
export class CommitSignal implements AsyncDisposable {
  readonly #url: string;
  readonly #log: Logger;
  readonly #onHeard: () => void;
  #client: pg.Client | null = null;
  readonly #watch: NodeJS.Timeout;
  #newest: string | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;

  private constructor(url: string, log: Logger, onHeard: () => void) {
    this.#url = url;
    this.#log = log;
    this.#onHeard = onHeard;
    this.#watch = setInterval(() => {
      this.#look().catch((error: unknown) => {
        log.warn({ err: error }, 'cannot ask for commits');
        // Otherwise it would wait forever on a connection that was cut without a notice.
        void this.#client?.end().catch(() => undefined);
      });
    }, lookMs).unref();
  }

  /** `onHeard`: called when another node has committed. */
  static async open(url: string, log: Logger, onHeard: () => void): Promise<CommitSignal> {
    const signal = new CommitSignal(url, log, onHeard);
    try {
      await signal.#connect();
    } catch (error) {
      await signal[Symbol.asyncDispose]();
      throw error;
    }
    return signal;
  }

  /** Notifies the others soon. */
  send(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#client
        ?.query(`NOTIFY ${channel}`)
        .catch((error: unknown) => this.#log.warn({ err: error }, 'not notified'));
    }, soonMs);
  }

  /** Hears commits without a notification. Jobs that nobody requested are not in the audit log. */
  async #look(): Promise<void> {
    const found = await this.#client?.query<{ newest: string }>(
      'SELECT concat((SELECT max(seq) FROM audit_log), $$ $$, (SELECT max(jobid) FROM jobs)) AS newest',
    );
    const newest = found?.rows[0]?.newest;
    if (newest === undefined || newest === this.#newest) return;
    this.#newest = newest;
    this.#onHeard();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'benchbook signals',
      query_timeout: answerMs,
      connectionTimeoutMillis: answerMs,
    });
    const broke = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#again();
    };
    client.on('error', broke);
    client.on('end', broke);
    try {
      await client.connect();
      const { rows } = await client.query<{ own: number }>('SELECT pg_backend_pid() AS own');
      client.on('notification', ({ processId }) => {
        if (processId !== rows[0]?.own) this.#onHeard();
      });
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // The node may have stopped meanwhile.
    if (this.#isClosed) return client.end();
    this.#client = client;
  }

  #again(): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      if (this.#isClosed) return;
      this.#connect().then(
        () => this.#onHeard(),
        () => this.#again(),
      );
    }, retryMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }
}
