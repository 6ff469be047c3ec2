import { unlessFull } from '#server/storage/sqlite.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { Problem } from '#shared/api/problem.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { prepared } from '#server/storage/prepared.ts';

import { JobCancelled, JobInterrupted, type JobControl, type JobKind } from './kind.ts';
import type { JobError, JobProgress, JobRow } from './store.ts';

/**
 * Minimum interval between writes of progress, ms: each write waits for the disk.
 *
 * - JOB-6 Progress is written at most every 0.7 s. The last report is always written.
 */
const progressMs = 700;
/** Number of starts after which a job that ends its process is given up. */
const mostStarts = 5;

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

  constructor(services: Services, kinds: readonly JobKind[], runner: JobRow['runner'] = 'server') {
    this.#services = services;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    this.#runner = runner;
  }

  /** Restarts jobs that an earlier process left running, and starts waiting jobs from now on. */
  async start(): Promise<void> {
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
    this.#stopListening = this.#services.bus.listen(() => this.wake());
    this.wake();
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
    if (running !== undefined || kind === undefined || row.state !== 'waiting') return;
    const one: Running = { row, abort: new AbortController(), done: Promise.resolve() };
    this.#running.set(row.kind, one);
    one.done = this.#run(kind, one)
      .catch((error: unknown) =>
        this.#services.log.error({ err: error, jobid: row.jobid }, 'a job could not be stored'),
      )
      .finally(() => {
        this.#running.delete(row.kind);
        this.wake();
      });
  }

  async #run(kind: JobKind, { row, abort }: Running): Promise<void> {
    const { jobid } = row;
    const starts = row.starts + 1;
    if (!(await this.#take(jobid, starts))) return;
    const progress = new ProgressWriter(async (now) => this.#set(jobid, { progress: JSON.stringify(now) }));
    const control = controlOf(jobid, abort.signal, progress);
    try {
      if (row.cancelling === 1) throw new JobCancelled();
      if (starts > mostStarts) throw new Problem('invalid', `The job was interrupted ${mostStarts} times`);
      const services = this.#actingFor(row);
      const startedAt = services.now();
      services.log.info('job started');
      const result = await kind.run(row, control, services);
      await progress.stop();
      await this.#finish(jobid, { state: 'done', result });
      services.log.info({ ms: services.now() - startedAt }, 'job done');
    } catch (error) {
      await progress.stop();
      if (abort.signal.reason instanceof JobInterrupted)
        await this.#set(jobid, { state: 'waiting', starts: row.starts });
      else await this.#giveUp(kind, row, abort.signal.aborted ? abort.signal.reason : error);
    }
  }

  /** Marks a job as running. Returns false if it no longer waits, because the row may be outdated. */
  async #take(jobid: number, starts: number): Promise<boolean> {
    const taken = await this.#services.storage.write(ownOrigin(this.#services, 'jobs'), (tx) =>
      tx
        .updateTable('jobs')
        .set({ state: 'running', starts })
        .where('jobid', '=', jobid)
        .where('state', '=', 'waiting')
        .executeTakeFirst(),
    );
    return taken.numUpdatedRows > 0n;
  }

  async #giveUp(kind: JobKind, queued: JobRow, error: unknown): Promise<void> {
    const isCancelled = error instanceof JobCancelled;
    const { jobid } = queued;
    const { log } = this.#actingFor(queued);
    if (error instanceof Problem) log.info({ reason: error.code }, 'job refused');
    else if (!isCancelled) log.error({ err: error }, 'job failed');
    const row = await this.#services.storage.reader
      .selectFrom('jobs')
      .selectAll()
      .where('jobid', '=', jobid)
      .executeTakeFirstOrThrow();
    const control = controlOf(jobid, new AbortController().signal, new ProgressWriter(async () => undefined));
    await kind.abandon(row, control, this.#actingFor(row), error);
    await this.#finish(jobid, {
      state: isCancelled ? 'cancelled' : 'failed',
      error: JSON.stringify(jobErrorOf(error)),
    });
  }

  /**
   * Services whose log names the job, and whose writes the audit log attributes to it, and to the administrator who
   * queued it as another person.
   */
  #actingFor({ jobid, kind, impersonator, request_id }: JobRow): Services {
    const { acting, log } = this.#services;
    const object = { kind: 'job', id: String(jobid) };
    return {
      ...this.#services,
      log: log.child({ jobid, job: kind, ...(request_id === null ? {} : { reqId: request_id }) }),
      acting: { ...ownOrigin({ acting }, `job ${kind}`), object, impersonator: impersonator ?? undefined },
    };
  }

  async #finish(jobid: number, values: Partial<JobRow>): Promise<void> {
    await this.#set(jobid, { ...values, finished_date: Math.floor(this.#services.now() / 1000) });
    this.#services.bus.committed();
  }

  async #set(jobid: number, values: Partial<JobRow>): Promise<void> {
    await this.#services.storage.write(ownOrigin(this.#services, 'jobs'), (tx) =>
      tx.updateTable('jobs').set(values).where('jobid', '=', jobid).execute(),
    );
  }
}

/** Makes the server adopt jobs of a killed command. A command that still runs keeps its jobs. */
export async function adoptCommands(services: Services): Promise<void> {
  using lock = services.archives.lockForCommand();
  if (lock === null) return;
  await services.storage.write(ownOrigin(services, 'adopt jobs'), (tx) =>
    tx
      .updateTable('jobs')
      .set({ runner: 'server' })
      .where('runner', '=', 'cli')
      .where('state', 'in', ['waiting', 'running'])
      .execute(),
  );
}

function controlOf(jobid: number, signal: AbortSignal, progress: ProgressWriter): JobControl {
  return {
    signal,
    pause: async () => {
      await nextTurn();
      signal.throwIfAborted();
    },
    progress: (done, total, phase) => progress.report({ done, total, phase }),
    storeCursor: async (ctx, cursor) => {
      await ctx.db.updateTable('jobs').set({ cursor }).where('jobid', '=', jobid).execute();
    },
  };
}

/** Writes the latest progress at most every `progressMs`. */
class ProgressWriter {
  readonly #write: (progress: JobProgress) => Promise<void>;
  #waiting: JobProgress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (progress: JobProgress) => Promise<void>) {
    this.#write = write;
  }

  report(progress: JobProgress): void {
    const isFirst = this.#timer === undefined;
    this.#waiting = progress;
    if (isFirst) this.#flush();
  }

  #flush(): void {
    const progress = this.#waiting;
    this.#waiting = undefined;
    if (progress === undefined) {
      this.#timer = undefined;
      return;
    }
    this.#writing = this.#writing.then(() => this.#write(progress));
    this.#timer = setTimeout(() => this.#flush(), progressMs).unref();
  }

  /** Writes the last report. Nothing is written afterwards. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const progress = this.#waiting;
    if (progress !== undefined) this.#writing = this.#writing.then(() => this.#write(progress));
    await this.#writing;
  }
}

function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof Problem)) return { message: 'The server failed; the job may be begun again' };
  const { errors } = error.details;
  return { message: error.message, ...(errors === undefined ? {} : { errors }) };
}
