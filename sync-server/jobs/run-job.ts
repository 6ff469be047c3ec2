import { setImmediate as nextTurn } from 'node:timers/promises';

import { Problem } from '#shared/api/problem.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { LeaseLost } from '#server/storage/leases.ts';
import { DatabaseUnreachable } from '#server/storage/unreachable.ts';
import type { Services } from '#server/core/services.ts';

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

/** Runs a job that was marked as running, and stores how it ended. `row`: as it was before. */
export async function runJob(
  services: Services,
  kind: JobKind,
  row: JobRow,
  signal: AbortSignal,
): Promise<void> {
  const { jobid } = row;
  const progress = new ProgressWriter(
    (now) => setJob(services, jobid, { progress: JSON.stringify(now) }),
    (error) => services.log.warn({ err: error, jobid }, 'the progress of a job could not be stored'),
  );
  const control = controlOf(jobid, signal, progress);
  try {
    if (row.cancelling === 1) throw new JobCancelled();
    if (row.starts >= mostStarts) throw new Problem('invalid', `The job was interrupted ${mostStarts} times`);
    const acting = actingFor(services, row);
    const startedAt = services.now();
    acting.log.info('job started');
    const result = await kind.run(row, control, acting);
    await progress.stop();
    await finish(services, jobid, { state: 'done', result });
    acting.log.info({ ms: services.now() - startedAt }, 'job done');
  } catch (error) {
    await progress.stop();
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (isOfNode(services, reason)) throw reason;
    if (reason instanceof JobInterrupted)
      await setJob(services, jobid, { state: 'waiting', starts: row.starts });
    else await giveUp(services, kind, row, reason);
  }
}

/** Whether a job ended because of its node, and another node continues it. */
function isOfNode({ storage: { leases } }: Services, error: unknown): boolean {
  return leases !== undefined && (error instanceof LeaseLost || error instanceof DatabaseUnreachable);
}

async function giveUp(services: Services, kind: JobKind, queued: JobRow, error: unknown): Promise<void> {
  const isCancelled = error instanceof JobCancelled;
  const { jobid } = queued;
  const { log } = actingFor(services, queued);
  if (error instanceof Problem) log.info({ reason: error.code }, 'job refused');
  else if (!isCancelled) log.error({ err: error }, 'job failed');
  const row = await services.storage.reader
    .selectFrom('jobs')
    .selectAll()
    .where('jobid', '=', jobid)
    .executeTakeFirstOrThrow();
  const nothing = new ProgressWriter(
    async () => undefined,
    () => undefined,
  );
  const control = controlOf(jobid, new AbortController().signal, nothing);
  await kind.abandon(row, control, actingFor(services, row), error);
  await finish(services, jobid, {
    state: isCancelled ? 'cancelled' : 'failed',
    error: JSON.stringify(jobErrorOf(error)),
  });
}

/**
 * Services whose log names the job, and whose writes the audit log attributes to it, and to the administrator who
 * queued it as another person.
 */
function actingFor(services: Services, { jobid, kind, impersonator, request_id }: JobRow): Services {
  const { acting, log } = services;
  const object = { kind: 'job', id: String(jobid) };
  return {
    ...services,
    log: log.child({ jobid, job: kind, ...(request_id === null ? {} : { reqId: request_id }) }),
    acting: { ...ownOrigin({ acting }, `job ${kind}`), object, impersonator: impersonator ?? undefined },
  };
}

async function finish(services: Services, jobid: number, values: Partial<JobRow>): Promise<void> {
  await setJob(services, jobid, { ...values, finished_date: Math.floor(services.now() / 1000) });
  services.bus.committed();
}

async function setJob(services: Services, jobid: number, values: Partial<JobRow>): Promise<void> {
  await services.storage.write(ownOrigin(services, 'jobs'), (tx) =>
    tx.updateTable('jobs').set(values).where('jobid', '=', jobid).execute(),
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
  readonly #failed: (error: unknown) => void;
  #waiting: JobProgress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `failed`: told of errors of `write`. The job goes on without the report. */
  constructor(write: (progress: JobProgress) => Promise<void>, failed: (error: unknown) => void) {
    this.#write = write;
    this.#failed = failed;
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
    this.#enqueue(progress);
    this.#timer = setTimeout(() => this.#flush(), progressMs).unref();
  }

  /** Writes the last report. Nothing is written afterwards. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const progress = this.#waiting;
    if (progress !== undefined) this.#enqueue(progress);
    await this.#writing;
  }

  #enqueue(progress: JobProgress): void {
    this.#writing = this.#writing.then(() => this.#write(progress)).catch(this.#failed);
  }
}

function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof Problem)) return { message: 'The server failed; the job may be begun again' };
  const { errors } = error.details;
  return { message: error.message, ...(errors === undefined ? {} : { errors }) };
}
