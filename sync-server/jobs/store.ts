import type { Selectable } from 'kysely';
import { z } from 'zod';

import type { FieldError } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

export type JobRow = Selectable<Tables['jobs']>;
export type JobState = JobRow['state'];

/** How far a job is: `done` of `total` (0: not known yet), and what it is doing, in a few words. */
export const jobProgress = z.strictObject({
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  phase: z.string(),
});
export type JobProgress = z.infer<typeof jobProgress>;

/** Why a job failed, as a refused call would say it. */
export interface JobError {
  message: string;
  errors?: FieldError[];
}

/** A job as those see it who may. `input` and `result` are what its kind says they are. */
export interface Job {
  jobid: number;
  kind: string;
  userid: number | null;
  subject: string;
  state: JobState;
  /** Somebody asked for its end, which it has not come to yet. */
  isCancelling: boolean;
  input: unknown;
  progress: JobProgress;
  result: unknown;
  error: JobError | null;
  created_date: number;
  finished_date: number | null;
}

/** What is said of a job when it is put in line. */
export interface NewJob {
  kind: string;
  /** Whose rights it runs with, and who may look at it; null: the server's own. */
  userid: number | null;
  /** What it is found by with `findJobs`, e.g. `module:5`. Default ''. */
  subject?: string;
  /** Must satisfy the `input` of its kind. */
  input: unknown;
  /** `cli`: only the process that put it in line does it. Default `server`. */
  runner?: JobRow['runner'];
}

/** Puts a job in line, in the transaction of `ctx`; it begins soon after the commit. Returns its id. */
export async function enqueueJob(ctx: Context, job: NewJob): Promise<number> {
  const row = await ctx.db
    .insertInto('jobs')
    .values({
      kind: job.kind,
      userid: job.userid,
      subject: job.subject ?? '',
      state: 'waiting',
      runner: job.runner ?? 'server',
      starts: 0,
      cancelling: 0,
      input: JSON.stringify(job.input),
      impersonator: ctx.viewer.impersonator ?? null,
      created_date: ctx.seconds,
    })
    .returning('jobid')
    .executeTakeFirstOrThrow();
  return row.jobid;
}

/** The job, whoever asks: the caller says who may. */
export async function findJob(db: Db, kind: string, jobid: number): Promise<Job | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('jobid', '=', jobid)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row === undefined ? undefined : jobOf(row);
}

/** Jobs of a kind, newest first: of one subject, or of one person, or all. */
export async function findJobs(
  db: Db,
  kind: string,
  which: { subject?: string; userid?: number; offset?: number; limit?: number } = {},
): Promise<Job[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', kind)
    .$if(which.subject !== undefined, (query) => query.where('subject', '=', which.subject ?? ''))
    .$if(which.userid !== undefined, (query) => query.where('userid', '=', which.userid ?? 0))
    .orderBy('jobid', 'desc')
    .limit(which.limit ?? 200)
    .offset(which.offset ?? 0)
    .execute();
  return rows.map(jobOf);
}

/** The newest job of each subject of a kind, by subject; `subject`: of that one alone. */
export async function newestJobs(db: Db, kind: string, subject?: string): Promise<Map<string, Job>> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('jobid', 'in', (query) =>
      query
        .selectFrom('jobs')
        .select((eb) => eb.fn.max('jobid').as('newest'))
        .where('kind', '=', kind)
        .$if(subject !== undefined, (some) => some.where('subject', '=', subject ?? ''))
        .groupBy('subject'),
    )
    .execute();
  return new Map(rows.map((row) => [row.subject, jobOf(row)]));
}

/**
 * Asks a job to end. One that waits is cancelled at once; one that runs comes to an end soon, with what its kind does
 * about what it has done so far. Nothing happens to a job that is over.
 */
export async function cancelJob(ctx: Context, jobid: number): Promise<void> {
  await ctx.db
    .updateTable('jobs')
    .set({ state: 'cancelled', finished_date: ctx.seconds })
    .where('jobid', '=', jobid)
    .where('state', '=', 'waiting')
    .where('starts', '=', 0)
    .execute();
  await ctx.db
    .updateTable('jobs')
    .set({ cancelling: 1 })
    .where('jobid', '=', jobid)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Whether a job is over, in whatever way. */
export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

function jobOf(row: JobRow): Job {
  return {
    jobid: row.jobid,
    kind: row.kind,
    userid: row.userid,
    subject: row.subject,
    state: row.state,
    isCancelling: row.cancelling === 1 && (row.state === 'waiting' || row.state === 'running'),
    input: JSON.parse(row.input) as unknown,
    progress:
      row.progress === null ? { done: 0, total: 0, phase: '' } : jobProgress.parse(JSON.parse(row.progress)),
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    error: row.error === null ? null : (JSON.parse(row.error) as JobError),
    created_date: row.created_date,
    finished_date: row.finished_date,
  };
}
