import type { Selectable } from 'kysely';
import { z } from 'zod';

import type { FieldError } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

export type JobRow = Selectable<Tables['jobs']>;
export type JobState = JobRow['state'];

/** Progress of a job: `done` of `total` (0: not known yet), and a short description of the current phase. */
export const jobProgress = z.strictObject({
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  phase: z.string(),
});
export type JobProgress = z.infer<typeof jobProgress>;

/** Why a job failed, in the form of a refused call. */
export interface JobError {
  message: string;
  errors?: FieldError[];
}

/** A job. The types of `input` and `result` depend on its kind. */
export interface Job {
  jobid: number;
  kind: string;
  userid: number | null;
  subject: string;
  state: JobState;
  /** Whether it was cancelled but has not ended yet. */
  isCancelling: boolean;
  input: unknown;
  progress: JobProgress;
  result: unknown;
  error: JobError | null;
  created_date: number;
  finished_date: number | null;
}

/** A job to be queued. */
export interface NewJob {
  kind: string;
  /** The person whose permissions it has, and who may see it; null: the server. */
  userid: number | null;
  /** A name for finding it with `findJobs`, e.g. `module:5`. Default ''. */
  subject?: string;
  /** Must match the `input` schema of its kind. */
  input: unknown;
  /** `cli`: only the process that queued it runs it. Default `server`. */
  runner?: JobRow['runner'];
}

/**
 * Queues a job in the transaction of `ctx`. Returns its id.
 *
 * - JOB-1 A job is queued in the transaction of the call that needs it, and starts after the commit.
 */
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
      request_id: ctx.requestId,
      created_date: ctx.seconds,
    })
    .returning('jobid')
    .executeTakeFirstOrThrow();
  return row.jobid;
}

/** The jobs of all kinds, newest first. */
export async function listJobs(ctx: Context, page: { limit: number; offset: number }): Promise<Job[]> {
  const select = ctx.db.selectFrom('jobs').selectAll().orderBy('jobid', 'desc');
  return (await readPage(ctx, select, page)).map(jobOf);
}

/** How many jobs wait or run, by kind and state. */
export async function countOpenJobs(
  db: Db,
): Promise<{ kind: string; state: 'waiting' | 'running'; count: number }[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', ['waiting', 'running'])
    .groupBy(['kind', 'state'])
    .execute();
  return rows.map(({ kind, state, count }) => ({
    kind,
    state: state === 'running' ? 'running' : 'waiting',
    count,
  }));
}

/** A job by its id. The caller checks permissions. */
export async function findJob(db: Db, kind: string, jobid: number): Promise<Job | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('jobid', '=', jobid)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row === undefined ? undefined : jobOf(row);
}

/** Jobs of a kind, newest first; `which` can restrict them to a subject or a person. */
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

/** The newest job of each subject of a kind, by subject. `subject`: only of that one. */
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
 * Cancels a job. A waiting one ends immediately; a running one ends soon, after its kind has reverted its work
 * (JOB-4). A job that has ended stays as it is.
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

/** Whether a job has ended: done, failed or cancelled. */
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
