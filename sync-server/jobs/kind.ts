import type { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';

import type { JobRow } from './store.ts';

/** A running job, as passed to its kind. */
export interface RunningJob<I, C> {
  jobid: number;
  userid: number | null;
  subject: string;
  input: I;
  /** The cursor that `advance` stored last; null at the first start. */
  cursor: C | null;
  /** Aborted when the job must end, because it was cancelled or the server closes. */
  signal: AbortSignal;
  /** Throws if the job must end. Call it between pieces of work. */
  pause(): Promise<void>;
  /** Reports the progress. Cheap; can be called often. */
  progress(done: number, total: number, phase: string): void;
  /**
   * Stores the cursor.
   *
   * - JOB-3 The effect of a job and its cursor are stored in one transaction. A server that was stopped or killed
   *   continues from there at its next start. A job that ended its process five times is given up.
   */
  advance(ctx: Context, cursor: C): Promise<void>;
}

/** The definition of a kind of job. */
export interface JobKindOptions<I, C, R> {
  kind: string;
  input: z.ZodType<I>;
  cursor: z.ZodType<C>;
  result: z.ZodType<R>;
  /**
   * Does the work and returns the result. Called again with the last `cursor` if the server was stopped or killed.
   *
   * - JOB-5 A `Problem` fails the job with its message. Any other error is logged and reported as a fault of the
   *   server.
   */
  run(job: RunningJob<I, C>, services: Services): Promise<R>;
  /**
   * Reverts the work of a job that started and ends without a result. `error`: the reason.
   *
   * - JOB-4 A cancelled job reverts its work, if its kind can. A waiting one never starts.
   */
  abandon?(job: RunningJob<I, C>, services: Services, error: unknown): Promise<void>;
}

/** What the runner passes to a kind in addition to the stored row. */
export type JobControl = Pick<RunningJob<never, never>, 'signal' | 'pause' | 'progress'> & {
  storeCursor(ctx: Context, cursor: string): Promise<void>;
};

/** A kind of job as the runner uses it: takes rows, returns JSON. */
export interface JobKind {
  kind: string;
  /** Resolves with the result as JSON. */
  run(row: JobRow, control: JobControl, services: Services): Promise<string>;
  abandon(row: JobRow, control: JobControl, services: Services, error: unknown): Promise<void>;
}

/** Defines a kind of job. Add it to the list in `features/job-kinds.ts`. */
export function jobKind<I, C, R>(options: JobKindOptions<I, C, R>): JobKind {
  const runningOf = (row: JobRow, control: JobControl): RunningJob<I, C> => ({
    jobid: row.jobid,
    userid: row.userid,
    subject: row.subject,
    input: options.input.parse(JSON.parse(row.input)),
    cursor: row.cursor === null ? null : options.cursor.parse(JSON.parse(row.cursor)),
    signal: control.signal,
    pause: control.pause,
    progress: control.progress,
    advance: (ctx, cursor) => control.storeCursor(ctx, JSON.stringify(options.cursor.parse(cursor))),
  });
  return {
    kind: options.kind,
    run: async (row, control, services) =>
      JSON.stringify(options.result.parse(await options.run(runningOf(row, control), services))),
    abandon: async (row, control, services, error) =>
      options.abandon?.(runningOf(row, control), services, error),
  };
}

/** Thrown in a cancelled job. */
export class JobCancelled extends Problem {
  constructor() {
    super('invalid', 'The job was cancelled');
  }
}

/** Thrown in a job whose process ends. The next start continues the job. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted';
}
