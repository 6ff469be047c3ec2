import { notFound, Problem } from '#shared/api/problem.ts';
import type { CollectedArchive } from '#shared/model/archive-record.ts';
import { slug } from '#shared/formats/omanual/names.ts';
import { FileAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/core/context.ts';
import { collectKind } from '#server/features/omanual/make/collect.ts';
import { isOver, newestJobs, type Job } from '#server/jobs/store.ts';

import { plannedArchives, siteArchive, type PlannedArchive } from './plan.ts';
import { currentVersions, findVersion, isKnownName, type ArchiveRow } from './versions.ts';

/** `Retry-After` for an archive that is not made yet, seconds. */
const askAgainSeconds = 10;

/**
 * The archives of the collection, the whole site first, with the state of those that are not made or cannot be made.
 */
export async function listCollection(ctx: Context): Promise<CollectedArchive[]> {
  const base = await ctx.services.wantCollection(ctx.baseUrl);
  const plan = await plannedArchives(ctx.db, ctx.services, base);
  const versions = await currentVersions(ctx.db);
  const jobs = await newestJobs(ctx.db, collectKind);
  return plan.map((planned) => ({
    ...versionOf(ctx, planned, versions.get(planned.name), jobs.get(planned.name)),
    ...workOn(planned, versions.has(planned.name), jobs.get(planned.name)),
  }));
}

function versionOf(
  { baseUrl }: Context,
  { name, title, category, guides }: PlannedArchive,
  version: ArchiveRow | undefined,
  job: Job | undefined,
): Omit<CollectedArchive, 'progress' | 'error'> {
  if (version === undefined)
    return {
      name,
      title,
      category,
      guides,
      state: job?.state === 'failed' ? 'failed' : 'building',
      size: null,
      date: null,
      hash: null,
      url: null,
    };
  return {
    name,
    title: version.title,
    category: version.category,
    guides: version.guides,
    state: 'ready',
    size: version.size,
    date: version.created_date,
    hash: version.sha256,
    url: `${baseUrl}/api/2.0/omanual/${name}.omanual?hash=${version.sha256}`,
  };
}

/** The progress of the next version. */
function workOn(
  { guides }: PlannedArchive,
  isThere: boolean,
  job: Job | undefined,
): Pick<CollectedArchive, 'progress' | 'error'> {
  if (job?.state === 'failed') return { progress: null, error: job.error };
  if (job?.state === 'running') return { progress: job.progress, error: null };
  const isWaiting = !isThere || (job !== undefined && !isOver(job));
  return { progress: isWaiting ? { done: 0, total: guides, phase: 'Waiting' } : null, error: null };
}

/** The file of a version. Throws 404 if it shows a guide that is no longer public, 503 while the first one is made. */
export async function downloadCollected(
  ctx: Context,
  name: string,
  hash: string | undefined,
): Promise<FileAnswer> {
  await ctx.services.wantCollection(ctx.baseUrl);
  const version = await findVersion(ctx.db, name, hash);
  if (version === undefined) throw await whyMissing(ctx, name, hash);
  return new FileAnswer('application/zip', ctx.services.archives.path(version.sha256), {
    etag: version.sha256,
    // Not cacheable: even an immutable version may be downloaded only while all of its guides are public.
    isPublic: false,
    disposition: attachment(`${(name === siteArchive && slug(version.title)) || name}.omanual`),
  });
}

/** The refusal for an archive without a version: whether there will be one, and when to ask again. */
async function whyMissing({ db }: Context, name: string, hash: string | undefined): Promise<Problem> {
  const job = hash === undefined ? (await newestJobs(db, collectKind, name)).get(name) : undefined;
  if (job === undefined) return notFound('Archive');
  if (job.state === 'failed') return new Problem('not-found', job.error?.message ?? 'Archive not found');
  const later = { retryAfterSeconds: askAgainSeconds };
  // The name is known, so the archive existed. Its content is not public now.
  if (await isKnownName(db, name)) return new Problem('not-found', 'Archive not found', later);
  return new Problem('unavailable', 'The archive is being made; ask again in some seconds', later);
}

/** A `Content-Disposition` with the file name for browsers. */
export function attachment(filename: string): string {
  return `attachment; filename*=UTF-8''${encodeURIComponent(filename).replaceAll("'", '%27')}`;
}
