import type { NewArchive } from '#shared/api/omanual.ts';
import { forbidden, notFound } from '#shared/api/problem.ts';
import type { MadeArchive } from '#shared/model/archive-record.ts';
import { slug } from '#shared/formats/omanual/names.ts';
import { can } from '#server/features/can.ts';
import { FileAnswer } from '#server/http/answers.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import {
  madeName,
  makeInput,
  makeKind,
  makeResult,
  type MakeInput,
} from '#server/features/omanual/make/make.ts';
import { cancelJob, enqueueJob, findJob, findJobs, isOver, type Job } from '#server/jobs/store.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { attachment } from './collection.ts';
import { chosen } from './selection.ts';

/** Throws 403 unless the caller may make archives. */
export function mustMake(ctx: Context): void {
  if (!can(ctx.viewer, 'archive.make', null)) throw forbidden('You may not make archives');
}

/** Queues a job that makes an archive; throws 404 for guides that the caller may not see. */
export async function beginMaking(
  ctx: Context,
  { media, ...wanted }: NewArchive,
): Promise<Remembered<MadeArchive>> {
  const { title } = await chosen(ctx, wanted);
  const input: MakeInput = {
    wanted,
    media,
    base: ctx.services.site.address ?? ctx.baseUrl,
    title,
    filename: `${slug(title)}.omanual`,
  };
  const jobid = await enqueueJob(ctx, { kind: makeKind, userid: mustUserid(ctx), input });
  return ctx.respondWithRecord('archive', jobid, representMade(ctx, jobid));
}

/** An archive of the caller; throws 404 for archives of others. */
export async function representMade(ctx: Context, archiveid: number): Promise<MadeArchive> {
  return recordOf(ctx, await mustOwn(ctx, archiveid));
}

export async function listMade(
  ctx: Context,
  page: { offset: number; limit: number },
): Promise<MadeArchive[]> {
  const userid = mustUserid(ctx);
  const { count } = await ctx.db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', makeKind)
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  ctx.total(Number(count));
  const jobs = await findJobs(ctx.db, makeKind, { userid, ...page });
  return jobs.map((job) => recordOf(ctx, job));
}

/** The file. Throws 404 if it is not made yet, or the caller may no longer see all of its guides. */
export async function downloadMade(ctx: Context, archiveid: number): Promise<FileAnswer> {
  const job = await mustOwn(ctx, archiveid);
  if (job.state !== 'done') throw notFound('File');
  const { shown, sha256, expires_date } = makeResult.parse(job.result);
  const guides = await findDocuments(ctx.db, 'guides', shown);
  const mayStillSee =
    guides.length === shown.length && guides.every((one) => can(ctx.viewer, 'guide.see', one));
  if (!mayStillSee || expires_date < ctx.seconds) throw notFound('File');
  return new FileAnswer('application/zip', ctx.services.archives.path(madeName(archiveid)), {
    etag: sha256,
    isPublic: false,
    disposition: attachment(makeInput.parse(job.input).filename),
  });
}

/** Cancels the job, or deletes the archive. */
export async function removeMade(ctx: Context, archiveid: number): Promise<void> {
  const job = await mustOwn(ctx, archiveid);
  if (!isOver(job)) return cancelJob(ctx, archiveid);
  await ctx.db.deleteFrom('jobs').where('jobid', '=', archiveid).execute();
  await ctx.services.archives.remove(madeName(archiveid));
}

async function mustOwn(ctx: Context, archiveid: number): Promise<Job> {
  const job = await findJob(ctx.db, makeKind, archiveid);
  if (job === undefined || !can(ctx.viewer, 'archive.own', job)) throw notFound('Archive');
  return job;
}

function recordOf(ctx: Context, job: Job): MadeArchive {
  const { title, filename } = makeInput.parse(job.input);
  const result = job.state === 'done' ? makeResult.parse(job.result) : null;
  return {
    archiveid: job.jobid,
    filename,
    title,
    state: job.state,
    progress: job.progress,
    guides: result?.guides ?? 0,
    size: result?.size ?? null,
    hash: result?.sha256 ?? null,
    url: result === null ? null : `${ctx.baseUrl}/api/2.0/omanual/archives/${job.jobid}/file`,
    findings: result?.findings ?? [],
    error: job.error,
    created_date: job.created_date,
    expires_date: result?.expires_date ?? null,
  };
}
