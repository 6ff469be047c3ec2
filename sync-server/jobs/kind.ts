import type { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';

import type { JobRow } from './store.ts';

/** A job while it runs, as its kind sees it. */
export interface RunningJob<I, C> {
  jobid: number;
  userid: number | null;
  subject: string;
  input: I;
  /** How far an earlier start came, as `advance` stored it last; null at the first start. */
  cursor: C | null;
  /** Aborted when the job shall end: somebody cancelled it, or the server closes. */
  signal: AbortSignal;
  /** Throws when the job shall end; call it between two pieces of work. */
  pause(): Promise<void>;
  /** Says how far the job is; cheap, call it as often as you like. */
  progress(done: number, total: number, phase: string): void;
  /** Stores how far the job came, in the transaction of the effect itself, so that a killed job goes on after it. */
  advance(ctx: Context, cursor: C): Promise<void>;
}

/** What a kind of job is made of. */
export interface JobKindOptions<I, C, R> {
  kind: string;
  input: z.ZodType<I>;
  cursor: z.ZodType<C>;
  result: z.ZodType<R>;
  /**
   * Does the work and returns what came of it. Called again with the last `cursor` when the server was stopped or
   * killed in between. A thrown `Problem` fails the job with its words; anything else is logged and told as a fault.
   */
  run(job: RunningJob<I, C>, services: Services): Promise<R>;
  /** Called before a job that began is over without a result (`error`: why): takes back what it did so far. */
  abandon?(job: RunningJob<I, C>, services: Services, error: unknown): Promise<void>;
}

/** What the runner hands to a kind: everything that is not the stored row. */
export type JobControl = Pick<RunningJob<never, never>, 'signal' | 'pause' | 'progress'> & {
  storeCursor(ctx: Context, cursor: string): Promise<void>;
};

/** A kind of job for the runner: rows in, JSON out. */
export interface JobKind {
  kind: string;
  /** Resolves with the result as JSON. */
  run(row: JobRow, control: JobControl, services: Services): Promise<string>;
  abandon(row: JobRow, control: JobControl, services: Services, error: unknown): Promise<void>;
}

/** Declares a kind of job; it goes into the list of `features/job-kinds.ts`. */
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

/** Thrown inside a job that somebody cancelled. */
export class JobCancelled extends Problem {
  constructor() {
    super('invalid', 'The job was cancelled');
  }
}

/** Thrown inside a job whose process ends; the next start goes on with it. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted';
}
