import type { Selectable } from 'kysely';

import type { NewTrainingImport } from '#shared/api/external-training-modules.ts';
import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import { trainingStandard, type ImportProgress, type TrainingImport } from '#shared/model/training.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { cancelJob, jobProgress } from '#server/jobs/store.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import { trainingPackage, type TrainingPackage } from '#server/features/training/package.ts';

type ImportRow = Selectable<Tables['training_imports']>;

/** The row of an import; throws 404 if it does not exist. */
export async function mustFindImport(db: Db, importid: number): Promise<ImportRow> {
  const row = await db
    .selectFrom('training_imports')
    .selectAll()
    .where('importid', '=', importid)
    .executeTakeFirst();
  if (row === undefined || isDeleted(row)) throw notFound('Import');
  return row;
}

/** Whether the version is deleted: its row stays without a package while results refer to it (TRAINING-18). */
function isDeleted(row: Pick<ImportRow, 'status' | 'package'>): boolean {
  return row.status === 'complete' && row.package === null;
}

/** A complete import with the content of its manifest; throws 404, with the reason, for any other. */
export async function mustFindVersion(
  db: Db,
  importid: number,
): Promise<{ row: ImportRow; package: TrainingPackage }> {
  const row = await mustFindImport(db, importid);
  if (row.package === null)
    throw new Problem('not-found', `There is nothing to play: the import ${wordsFor(row)}`);
  return { row, package: trainingPackage.parse(JSON.parse(row.package)) };
}

function wordsFor({ status, error }: ImportRow): string {
  if (status === 'error') return `failed: ${error ?? ''}`;
  const words = { created: 'has not begun', running: 'is running', complete: 'is complete' };
  return status === 'cancelled' ? 'was cancelled' : words[status];
}

/** An import as a record. */
export async function representImport(ctx: Context, importid: number): Promise<TrainingImport> {
  const [record] = await recordsOf(ctx.db, [await mustFindImport(ctx.db, importid)]);
  if (record === undefined) throw notFound('Import');
  return record;
}

/**
 * The imports of a module.
 *
 * - TRAINING-5 Imports of a module are numbered from 1 and listed from the highest down.
 */
export async function listImports(ctx: Context, moduleid: number): Promise<TrainingImport[]> {
  const rows = await ctx.db
    .selectFrom('training_imports')
    .selectAll()
    .where('moduleid', '=', moduleid)
    .orderBy('vendor_version_number', 'desc')
    .execute();
  return recordsOf(
    ctx.db,
    rows.filter((row) => !isDeleted(row)),
  );
}

async function recordsOf(db: Db, rows: ImportRow[]): Promise<TrainingImport[]> {
  const moduleids = [...new Set(rows.map(({ moduleid }) => moduleid))];
  if (moduleids.length === 0) return [];
  const modules = await db
    .selectFrom('training_modules')
    .select(['moduleid', 'current_importid', 'draft_importid'])
    .where('moduleid', 'in', moduleids)
    .execute();
  return rows.map((row) => {
    const module = modules.find(({ moduleid }) => moduleid === row.moduleid);
    const { importid, moduleid, vendor_version_number, status, title, userid, init_date, end_date } = row;
    return {
      importid,
      external_training_moduleid: moduleid,
      vendor_version_number,
      status,
      standard: trainingStandard.nullable().parse(row.standard),
      title,
      userid,
      init_date,
      end_date,
      is_current: module?.current_importid === importid,
      is_draft: module?.draft_importid === importid,
      message: row.error,
    };
  });
}

/**
 * Creates an import of a new module or a new version; returns its id. Throws 422 if the module does not exist.
 *
 * - TRAINING-3 An import is created, started once, and ends complete, with an error, or cancelled. It has progress
 *   until it ends; afterwards the progress is 404, with the result.
 */
export async function createImport(ctx: Context, body: NewTrainingImport): Promise<number> {
  const userid = mustUserid(ctx);
  const moduleid = body.external_training_moduleid ?? (await createModule(ctx, body.title ?? '', userid));
  const module = await ctx.db
    .selectFrom('training_modules')
    .leftJoin('training_imports', 'training_imports.moduleid', 'training_modules.moduleid')
    .select((eb) => ['training_modules.moduleid', eb.fn.max('vendor_version_number').as('last')])
    .where('training_modules.moduleid', '=', moduleid)
    .groupBy('training_modules.moduleid')
    .executeTakeFirst();
  if (module === undefined)
    throw invalid('external_training_moduleid', `There is no external training module ${moduleid}`);
  const { importid } = await ctx.db
    .insertInto('training_imports')
    .values({
      moduleid,
      vendor_version_number: (module.last ?? 0) + 1,
      status: 'created',
      userid,
      init_date: ctx.seconds,
    })
    .returning('importid')
    .executeTakeFirstOrThrow();
  return importid;
}

async function createModule(ctx: Context, title: string, userid: number): Promise<number> {
  const { moduleid } = await ctx.db
    .insertInto('training_modules')
    .values({ title, userid, created_date: ctx.seconds, modified_date: ctx.seconds })
    .returning('moduleid')
    .executeTakeFirstOrThrow();
  return moduleid;
}

/** Throws 422 unless the import waits for its package. */
export async function mustBeStartable(db: Db, importid: number): Promise<void> {
  const row = await mustFindImport(db, importid);
  if (row.status !== 'created')
    throw invalid('importid', `The import cannot be started: it ${wordsFor(row)}`);
}

/** Marks an import as running with its job. */
export async function beginImport(ctx: Context, importid: number, jobid: number): Promise<void> {
  await ctx.db
    .updateTable('training_imports')
    .set({ status: 'running', jobid })
    .where('importid', '=', importid)
    .execute();
}

/** Makes an import a version of its module. Returns false if it was cancelled meanwhile. */
export async function completeImport(
  ctx: Context,
  importid: number,
  found: TrainingPackage,
  files: { path: string; number: number; size: number }[],
): Promise<boolean> {
  const row = await mustFindImport(ctx.db, importid);
  if (row.status !== 'running') return false;
  await ctx.db.deleteFrom('training_files').where('importid', '=', importid).execute();
  for (const some of chunks(files))
    await ctx.db
      .insertInto('training_files')
      .values(some.map((file) => ({ importid, ...file })))
      .execute();
  await ctx.db
    .updateTable('training_imports')
    .set({
      status: 'complete',
      standard: found.standard,
      title: found.title.slice(0, 1000),
      package: JSON.stringify(found),
      end_date: ctx.seconds,
    })
    .where('importid', '=', importid)
    .execute();
  // The first version of a module becomes its draft.
  await ctx.db
    .updateTable('training_modules')
    .set({ draft_importid: importid, modified_date: ctx.seconds })
    .where('moduleid', '=', row.moduleid)
    .where('draft_importid', 'is', null)
    .where('current_importid', 'is', null)
    .execute();
  return true;
}

/** Ends a running import with an error message; a cancelled import stays cancelled. */
export async function failImport(ctx: Context, importid: number, message: string): Promise<void> {
  await ctx.db
    .updateTable('training_imports')
    .set({ status: 'error', error: message, end_date: ctx.seconds })
    .where('importid', '=', importid)
    .where('status', '=', 'running')
    .execute();
}

/**
 * Cancels an import; throws 422 if it is over. Its job ends soon and removes its files.
 *
 * - TRAINING-9 A cancelled import ends at once and leaves nothing. A package is sent as bytes or in a form with one
 *   file; of two concurrent uploads one is accepted.
 */
export async function cancelImport(ctx: Context, importid: number): Promise<void> {
  const row = await mustFindImport(ctx.db, importid);
  if (row.status !== 'created' && row.status !== 'running')
    throw invalid('importid', `The import cannot be cancelled: it ${wordsFor(row)}`);
  await ctx.db
    .updateTable('training_imports')
    .set({ status: 'cancelled', end_date: ctx.seconds })
    .where('importid', '=', importid)
    .execute();
  if (row.jobid !== null) await cancelJob(ctx, row.jobid);
}

/** The progress of a running import. Throws 404 with the result for a finished one (spec: not for finished imports). */
export async function progressOfImport(ctx: Context, importid: number): Promise<ImportProgress> {
  const row = await mustFindImport(ctx.db, importid);
  const { status } = row;
  if (status !== 'created' && status !== 'running')
    throw new Problem('not-found', `The import is not running: it ${wordsFor(row)}`);
  const job =
    row.jobid === null
      ? undefined
      : await ctx.db.selectFrom('jobs').select('progress').where('jobid', '=', row.jobid).executeTakeFirst();
  const { done, total, phase } =
    job?.progress == null ? { done: 0, total: 0, phase: '' } : jobProgress.parse(JSON.parse(job.progress));
  const progress = total === 0 ? 0 : Math.floor((done / total) * 100);
  return { importid, status, progress, message: phase };
}
