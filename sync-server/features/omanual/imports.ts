import type { z } from 'zod';

import type { FileOnDisk } from '#shared/api/endpoint.ts';
import type { NewImport } from '#shared/api/omanual.ts';
import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import { importReport, type ArchiveImport, type undoRecord } from '#shared/model/archive-record.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import { RefusedAddress, publicMessageOf } from '#server/platform/outbound.ts';
import { importKind } from '#server/features/omanual/import/import.ts';
import { undoKind, undoResult } from '#server/features/omanual/import/undo.ts';
import { cancelJob, enqueueJob, findJob, isOver, type Job } from '#server/jobs/store.ts';
import { readPage } from '#server/storage/read-page.ts';

import { findImport, type ImportRow } from './import/import-rows.ts';

type Rules = Pick<NewImport, 'existing' | 'author' | 'visibility' | 'links' | 'dry_run'>;

/** Throws 403 unless the caller may import archives. */
export function mustImport(ctx: Context): void {
  if (!can(ctx.viewer, 'import.begin', null)) throw forbidden('You may not import archives', editors);
}

/** The import; throws 404 if the caller may not see it. */
export async function mustSeeImport(ctx: Context, importid: number): Promise<ImportRow> {
  const row = await findImport(ctx.db, importid);
  if (row === undefined || !can(ctx.viewer, 'import.see', row)) throw notFound('Import');
  return row;
}

function requireRules(ctx: Context, { author }: Rules): void {
  if (author === 'name' && !can(ctx.viewer, 'import.forOthers', null))
    throw forbidden('Only administrators give guides to others', ['Admin']);
}

/** Creates an import. For a URL its job is queued; a file must be uploaded first. */
export async function createImport(
  ctx: Context,
  body: NewImport,
  runner: 'server' | 'cli' = 'server',
): Promise<Remembered<ArchiveImport>> {
  mustImport(ctx);
  requireRules(ctx, body);
  ctx.services.archiveReading.prepare();
  if (body.url !== undefined) await ctx.services.outbound.check(body.url).catch(refusedAddress(ctx));
  const name = body.filename ?? lastPart(body.url ?? '');
  const importid = await insertImport(ctx, body, {
    url: body.url ?? null,
    filename: name === '' ? 'archive.omanual' : name,
    size: body.size ?? 0,
    received: 0,
    sha256: null,
  });
  if (body.url !== undefined) await enqueueImport(ctx, importid, runner);
  return ctx.respondWithRecord('archiveImport', importid, representArchiveImport(ctx, importid));
}

function refusedAddress({ services }: Context): (error: unknown) => never {
  return (error) => {
    throw error instanceof RefusedAddress ? invalid('url', publicMessageOf(error, services.log)) : error;
  };
}

function lastPart(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return (decoded(last) ?? last).slice(0, 200);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

type FileOf = Pick<ImportRow, 'url' | 'filename' | 'size' | 'received' | 'sha256'>;

async function insertImport(ctx: Context, rules: Rules, file: FileOf): Promise<number> {
  const { importid } = await ctx.db
    .insertInto('archive_imports')
    .values({
      userid: mustUserid(ctx),
      existing: rules.existing,
      author: rules.author,
      visibility: rules.visibility,
      links: rules.links,
      dry_run: rules.dry_run ? 1 : 0,
      ...file,
      base: ctx.baseUrl,
      created_date: ctx.seconds,
    })
    .returning('importid')
    .executeTakeFirstOrThrow();
  return importid;
}

/** Creates an import of a file from the command line. `place` moves the file to its path. */
export async function insertUploaded(
  ctx: Context,
  rules: Rules,
  { filename, size }: { filename: string; size: number },
  place: (importid: number) => Promise<{ sha256: string; size: number }>,
): Promise<number> {
  mustImport(ctx);
  requireRules(ctx, rules);
  const file = { url: null, filename, size, received: size, sha256: null };
  const importid = await insertImport(ctx, rules, file);
  const placed = await place(importid);
  await ctx.db.updateTable('archive_imports').set(placed).where('importid', '=', importid).execute();
  await enqueueImport(ctx, importid, 'cli');
  return importid;
}

async function enqueueImport(
  ctx: Context,
  importid: number,
  runner: 'server' | 'cli' = 'server',
): Promise<void> {
  const jobid = await enqueueJob(ctx, {
    runner,
    kind: importKind,
    userid: mustUserid(ctx),
    subject: `import:${importid}`,
    input: { importid },
  });
  await ctx.db.updateTable('archive_imports').set({ jobid }).where('importid', '=', importid).execute();
}

/**
 * Stores a part of the file; parts may be sent again. The last part starts the import. Throws 422 for bytes beyond the
 * end or after a gap.
 */
export async function uploadPart(
  ctx: Context,
  importid: number,
  offset: number,
  part: FileOnDisk,
): Promise<Remembered<ArchiveImport>> {
  const row = await mustSeeImport(ctx, importid);
  if (row.url !== null || row.jobid !== null)
    throw invalid('body', 'The file of this import was there already; begin another import');
  const before = await receivedOf(ctx, row);
  if (offset > before) throw invalid('offset', `Bytes up to ${before} are there; send those that follow`);
  const end = offset + part.size;
  if (end > row.size) throw invalid('body', `The file shall have ${row.size} bytes`);
  const sha256 = await ctx.services.archives.arriving.add(importid, offset, part, row.size);
  const received = offset === 0 ? end : Math.max(before, end);
  return ctx.write(async (inside) => {
    const { numUpdatedRows } = await inside.db
      .updateTable('archive_imports')
      .set({ received, sha256 })
      .where('importid', '=', importid)
      .where('sha256', 'is', null)
      .executeTakeFirst();
    if (sha256 !== null && numUpdatedRows > 0n) await enqueueImport(inside, importid);
    return inside.respondWithRecord('archiveImport', importid, representArchiveImport(inside, importid));
  });
}

/** Imports the file of an earlier import with other rules. */
export async function runAgain(
  ctx: Context,
  importid: number,
  rules: Rules,
): Promise<Remembered<ArchiveImport>> {
  requireRules(ctx, rules);
  const row = await mustSeeImport(ctx, importid);
  if (row.sha256 === null || !(await isThere(ctx, importid)))
    throw invalid('importid', 'The file of this import is not there, or not any more; send it again');
  const { url, filename, size, sha256 } = row;
  const again = await insertImport(ctx, rules, { url, filename, size, received: size, sha256 });
  await ctx.services.archives.shareUpload(importid, again);
  await enqueueImport(ctx, again);
  return ctx.respondWithRecord('archiveImport', again, representArchiveImport(ctx, again));
}

/** Cancels a running import and undoes its effects. */
export async function cancelImport(ctx: Context, importid: number): Promise<Remembered<ArchiveImport>> {
  const row = await mustSeeImport(ctx, importid);
  if (row.jobid === null) throw invalid('importid', 'The import has not begun');
  await cancelJob(ctx, row.jobid);
  return ctx.respondWithRecord('archiveImport', importid, representArchiveImport(ctx, importid));
}

/** Queues the undo of an import; throws 422 while the import runs. */
export async function undoImport(
  ctx: Context,
  importid: number,
  force: boolean,
): Promise<Remembered<ArchiveImport>> {
  const row = await mustSeeImport(ctx, importid);
  const job = row.jobid === null ? undefined : await findJob(ctx.db, importKind, row.jobid);
  if (job === undefined || !isOver(job)) throw invalid('importid', 'Only an import that is over is undone');
  if (row.dry_run === 1) throw invalid('importid', 'A dry run changed nothing');
  const last = row.undo_jobid === null ? undefined : await findJob(ctx.db, undoKind, row.undo_jobid);
  if (last !== undefined && !isOver(last)) throw invalid('importid', 'The import is being undone');
  const jobid = await enqueueJob(ctx, {
    kind: undoKind,
    userid: mustUserid(ctx),
    subject: `import:${importid}`,
    input: { importid, force },
  });
  await ctx.db
    .updateTable('archive_imports')
    .set({ undo_jobid: jobid })
    .where('importid', '=', importid)
    .execute();
  return ctx.respondWithRecord('archiveImport', importid, representArchiveImport(ctx, importid));
}

/** The import as a record; throws 404 if the caller may not see it. */
export async function representArchiveImport(ctx: Context, importid: number): Promise<ArchiveImport> {
  return recordOf(ctx, await mustSeeImport(ctx, importid));
}

export async function listImports(
  ctx: Context,
  page: { offset: number; limit: number },
): Promise<ArchiveImport[]> {
  const isAll = can(ctx.viewer, 'import.listAll', null);
  const select = ctx.db
    .selectFrom('archive_imports')
    .selectAll()
    .$if(!isAll, (query) => query.where('userid', '=', mustUserid(ctx)))
    .orderBy('importid', 'desc');
  const rows = await readPage(ctx, select, page);
  const records: ArchiveImport[] = [];
  for (const row of rows) records.push(await recordOf(ctx, row));
  return records;
}

async function recordOf(ctx: Context, row: ImportRow): Promise<ArchiveImport> {
  const job = row.jobid === null ? undefined : await findJob(ctx.db, importKind, row.jobid);
  const undo = row.undo_jobid === null ? undefined : await findJob(ctx.db, undoKind, row.undo_jobid);
  const received = await receivedOf(ctx, row);
  return {
    importid: row.importid,
    userid: row.userid,
    state: job?.state ?? 'uploading',
    existing: row.existing,
    author: row.author,
    visibility: row.visibility,
    links: row.links,
    dry_run: row.dry_run === 1,
    url: row.url,
    filename: row.filename,
    size: row.size,
    received,
    file: await fileOf(ctx, row, job),
    progress: job?.progress ?? { done: received, total: row.size, phase: 'Uploading' },
    report: job?.state === 'done' ? importReport.parse(job.result) : null,
    undo: undo === undefined ? null : undoOf(undo),
    error: job?.error ?? null,
    created_date: row.created_date,
    finished_date: job?.finished_date ?? null,
  };
}

/** The number of received bytes; after a restore the file may have fewer than the database says. */
async function receivedOf(ctx: Context, { importid, received, jobid }: ImportRow): Promise<number> {
  return jobid === null
    ? Math.min(received, (await ctx.services.archives.uploadSize(importid)) ?? 0)
    : received;
}

async function isThere(ctx: Context, importid: number): Promise<boolean> {
  return (await ctx.services.archives.uploadSize(importid)) !== null;
}

async function fileOf(
  ctx: Context,
  { importid, sha256 }: ImportRow,
  job: Job | undefined,
): Promise<ArchiveImport['file']> {
  if (sha256 === null) return job === undefined || !isOver(job) ? 'awaited' : 'gone';
  return (await isThere(ctx, importid)) ? 'here' : 'gone';
}

function undoOf({ state, progress, error, result }: Job): z.infer<typeof undoRecord> {
  const found = state === 'done' ? undoResult.parse(result) : { undone: 0, kept: [] };
  return { state, progress, error, ...found };
}
