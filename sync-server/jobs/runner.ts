import { fenced } from '#server/core/fenced.ts';
import { unlessFull } from '#server/storage/sqlite.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import type { Lease } from '#server/storage/leases.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tx } from '#server/storage/tables.ts';

import { JobCancelled, JobInterrupted, type JobKind } from './kind.ts';
import { runJob } from './run-job.ts';
import type { JobRow } from './store.ts';

/** Interval at which a node looks for jobs of nodes that died, ms. */
const lookMs = 2000;
/** Age of a job of a command before another machine can say that the command was killed, seconds. */
const adoptAfterSeconds = 60;

/** A cheap check whether there are open jobs: most commits queue none. */
const anyOpen = prepared<Record<never, never>, { jobid: number }>((db) =>
  db.selectFrom('jobs').select('jobid').where('state', 'in', ['waiting', 'running']).limit(1),
);

interface Running {
  row: JobRow;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Runs jobs: work that outlives a request, such as imports. Jobs are rows of the table `jobs`. Jobs that a stopped or
 * killed process left running start again at the next start, with the last cursor that they stored
 * (`RunningJob.advance`).
 *
 * A feature queues a job with `enqueueJob(ctx, …)` inside its write and reads it with `findJob`. The runner is
 * notified of the commit.
 *
 * - JOB-2 A kind of job runs one job at a time, in the order of queueing. Kinds do not wait for each other.
 * - JOB-7 Jobs that made versions of the collection are deleted a week after they ended (`features/prune.ts`). The
 *   newest of each archive stays, because it shows why one could not be made. Jobs that a person requested stay with
 *   what they made.
 * - JOB-9 Of several nodes on one database, one at a time runs the jobs of a kind: the one that has its lease. A job
 *   whose node died, was paused or was cut off is continued by another node from its cursor, and the first node writes
 *   nothing more for it.
 * - JOB-8 The log of a job names it, and the request that queued it.
 */
export class JobRunner {
  readonly #services: Services;
  readonly #kinds: Map<string, JobKind>;
  readonly #runner: JobRow['runner'];
  readonly #running = new Map<string, Running>();
  #scanning: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #stopListening: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, kinds: readonly JobKind[], runner: JobRow['runner'] = 'server') {
    this.#services = services;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    this.#runner = runner;
  }

  /** Restarts jobs that an earlier process left running, and starts waiting jobs from now on. */
  async start(): Promise<void> {
    // With several nodes, a job that is marked as running may be running on another one.
    if (this.#services.storage.leases === undefined) await this.#requeue();
    else this.#timer = setInterval(() => this.wake(), lookMs).unref();
    this.#stopListening = this.#services.bus.listen(() => this.wake());
    this.wake();
  }

  async #requeue(): Promise<void> {
    await this.#services.storage
      .write(ownOrigin(this.#services, 'go on with jobs'), (tx) =>
        tx
          .updateTable('jobs')
          .set({ state: 'waiting' })
          .where('state', '=', 'running')
          .where('runner', '=', this.#runner)
          .execute(),
      )
      .catch(unlessFull(this.#services.log));
  }

  /** Checks for waiting and cancelled jobs. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#scanning ??= this.#scan()
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'the jobs could not be read'))
      .finally(() => {
        this.#scanning = undefined;
        // `wake` was called after the last check.
        if (this.#again) this.wake();
      });
  }

  /** Resolves when no job is waiting or running. */
  async idle(): Promise<void> {
    for (;;) {
      // The notification of a commit comes a moment later.
      this.wake();
      await this.#scanning;
      if (this.#running.size === 0) return;
      await Promise.all([...this.#running.values()].map(({ done }) => done));
    }
  }

  /** Interrupts running jobs. The next start continues them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearInterval(this.#timer);
    await this.#scanning;
    for (const { abort } of this.#running.values()) abort.abort(new JobInterrupted());
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #scan(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      if (this.#kinds.size === 0) return;
      if ((await anyOpen(this.#services.storage.reader, {})).length === 0) continue;
      const rows = await this.#services.storage.reader
        .selectFrom('jobs')
        .selectAll()
        .where('state', 'in', ['waiting', 'running'])
        .where('runner', '=', this.#runner)
        .where('kind', 'in', [...this.#kinds.keys()])
        .orderBy('jobid')
        .execute();
      for (const row of rows) this.#update(row);
    }
  }

  #update(row: JobRow): void {
    const running = this.#running.get(row.kind);
    if (running?.row.jobid === row.jobid && row.cancelling === 1) running.abort.abort(new JobCancelled());
    const kind = this.#kinds.get(row.kind);
    if (running !== undefined || kind === undefined) return;
    if (row.state !== 'waiting' && this.#services.storage.leases === undefined) return;
    const one: Running = { row, abort: new AbortController(), done: Promise.resolve() };
    this.#running.set(row.kind, one);
    one.done = this.#run(kind, one)
      .catch((error: unknown) => {
        this.#services.log.error({ err: error, jobid: row.jobid }, 'a job could not be stored');
        return true;
      })
      .then((mayBeNext) => {
        this.#running.delete(row.kind);
        if (mayBeNext) this.wake();
      });
  }

  /** Runs a job. Returns false if another node runs the jobs of its kind. */
  async #run(kind: JobKind, { row, abort }: Running): Promise<boolean> {
    if (this.#services.storage.leases !== undefined) return this.#runLeased(kind, row, abort);
    const taken = await this.#services.storage.write(ownOrigin(this.#services, 'jobs'), (tx) =>
      this.#take(tx, row.jobid, ['waiting']),
    );
    // The job itself may have changed since, but only before it was taken.
    if (taken !== undefined) await runJob(this.#services, kind, taken, abort.signal);
    return true;
  }

  async #runLeased(kind: JobKind, { kind: name, jobid }: JobRow, abort: AbortController): Promise<boolean> {
    const claimed = await this.#claim(leaseOf(this.#runner, name), jobid);
    if (claimed === null) return false;
    const { lease, row } = claimed;
    const lose = (): void => abort.abort(lease.signal.reason);
    lease.signal.addEventListener('abort', lose);
    try {
      if (row !== undefined) await runJob(fenced(this.#services, lease), kind, row, abort.signal);
      return true;
    } catch (error) {
      // The row stays as it is: whoever gets the lease continues the job.
      this.#services.log.warn({ err: error, jobid }, 'a job is left to another node');
      return false;
    } finally {
      lease.signal.removeEventListener('abort', lose);
      await lease.release();
    }
  }

  /**
   * Takes the lease of a kind of jobs, and marks a job as running. `row`: undefined if it ended meanwhile. Returns null if
   * another node has the lease.
   */
  async #claim(name: string, jobid: number): Promise<{ lease: Lease; row: JobRow | undefined } | null> {
    const { storage } = this.#services;
    const { leases } = storage;
    if (leases === undefined || !(await leases.isFree(name))) return null;
    return storage.write(ownOrigin(this.#services, 'jobs'), async (tx) => {
      const lease = await leases.take(name, tx);
      if (lease === null) return null;
      // Nobody has the lease, so a job that is marked as running lost its node.
      return { lease, row: await this.#take(tx, jobid, ['waiting', 'running']) };
    });
  }

  /** Marks a job as running. Returns how it was; undefined if it is in none of the `states`, or of another runner. */
  async #take(tx: Tx, jobid: number, states: JobRow['state'][]): Promise<JobRow | undefined> {
    const row = await tx
      .selectFrom('jobs')
      .selectAll()
      .where('jobid', '=', jobid)
      .where('runner', '=', this.#runner)
      .where('state', 'in', states)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await tx
      .updateTable('jobs')
      .set({ state: 'running', starts: row.starts + 1 })
      .where('jobid', '=', jobid)
      .execute();
    return row;
  }
}

/** Makes the server adopt jobs of a killed command. A command that still runs keeps its jobs. */
export async function adoptCommands(services: Services): Promise<void> {
  using lock = services.archives.lockForCommand();
  if (lock === null) return;
  const { leases } = services.storage;
  await services.storage.write(ownOrigin(services, 'adopt jobs'), async (tx) => {
    const open = await tx
      .selectFrom('jobs')
      .select(['jobid', 'kind', 'created_date'])
      .where('runner', '=', 'cli')
      .where('state', 'in', ['waiting', 'running'])
      .execute();
    for (const { jobid, kind, created_date } of open) {
      // On another machine, a command may be running, or about to begin.
      const isLeft =
        leases === undefined ||
        (created_date < Math.floor(services.now() / 1000) - adoptAfterSeconds &&
          (await leases.isFree(leaseOf('cli', kind))));
      if (!isLeft) continue;
      await tx.updateTable('jobs').set({ runner: 'server' }).where('jobid', '=', jobid).execute();
    }
  });
}

function leaseOf(runner: JobRow['runner'], kind: string): string {
  return `jobs ${runner} ${kind}`;
}
