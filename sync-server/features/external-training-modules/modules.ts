import type { Selectable } from 'kysely';

import { invalid, notFound } from '#shared/api/problem.ts';
import { trainingStandard, type TrainingModule, type TrainingUsage } from '#shared/model/training.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

export type ModuleRow = Selectable<Tables['training_modules']>;

/** The row of a module; throws 404 if it does not exist. */
export async function mustFindModule(db: Db, moduleid: number): Promise<ModuleRow> {
  const row = await db
    .selectFrom('training_modules')
    .selectAll()
    .where('moduleid', '=', moduleid)
    .executeTakeFirst();
  if (row === undefined || (await isDeleted(db, row))) throw notFound('External training module');
  return row;
}

/**
 * Whether the module is deleted: its row stays while results refer to it, but all its versions are deleted
 * (TRAINING-18).
 */
async function isDeleted(
  db: Db,
  { moduleid, current_importid, draft_importid }: ModuleRow,
): Promise<boolean> {
  if (current_importid !== null || draft_importid !== null) return false;
  const versions = await db
    .selectFrom('training_imports')
    .select(['status', 'package'])
    .where('moduleid', '=', moduleid)
    .execute();
  return versions.length > 0 && versions.every((one) => one.status === 'complete' && one.package === null);
}

/** A module as the caller may see it. */
export async function representModule(ctx: Context, moduleid: number): Promise<TrainingModule> {
  return recordOf(ctx, await mustFindModule(ctx.db, moduleid));
}

async function recordOf(ctx: Context, row: ModuleRow): Promise<TrainingModule> {
  const manages = can(ctx.viewer, 'module.manage', null);
  const shown = row.current_importid ?? row.draft_importid;
  const version =
    shown === null
      ? undefined
      : await ctx.db
          .selectFrom('training_imports')
          .select('standard')
          .where('importid', '=', shown)
          .executeTakeFirst();
  return {
    external_training_moduleid: row.moduleid,
    title: row.title,
    standard: trainingStandard.nullable().parse(version?.standard ?? null),
    userid: row.userid,
    current_importid: row.current_importid,
    draft_importid: manages ? row.draft_importid : null,
    created_date: row.created_date,
    modified_date: row.modified_date,
  };
}

interface Filter {
  query?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** A page of modules that have a current version, or a draft, ordered by id. */
export async function listModules(
  ctx: Context,
  place: 'current_importid' | 'draft_importid',
  { query = '', limit = 20, offset = 0 }: Filter,
): Promise<TrainingModule[]> {
  let select = ctx.db.selectFrom('training_modules').selectAll().where(place, 'is not', null);
  const words = query.trim().toLowerCase();
  if (words !== '') select = select.where(contains(ctx.db, 'title', words));
  const rows = await readPage(ctx, select.orderBy('moduleid'), { limit, offset });
  return Promise.all(rows.map((row) => recordOf(ctx, row)));
}

/**
 * Makes a complete import of the module its current version or draft; throws 422 for any other import.
 *
 * - TRAINING-4 The first complete import of a module becomes its draft. Current and draft are complete imports of the
 *   module; a draft that becomes current is no longer a draft.
 */
export async function placeImport(
  ctx: Context,
  moduleid: number,
  importid: number,
  place: 'current' | 'draft',
): Promise<void> {
  const version = await ctx.db
    .selectFrom('training_imports')
    .select(['moduleid', 'status'])
    .where('importid', '=', importid)
    .executeTakeFirst();
  if (version?.moduleid !== moduleid) throw invalid('importid', `The module has no import ${importid}`);
  if (version.status !== 'complete')
    throw invalid('importid', `Import ${importid} is not complete (${version.status})`);
  const { draft_importid } = await mustFindModule(ctx.db, moduleid);
  const isPromoted = place === 'current' && draft_importid === importid;
  await ctx.db
    .updateTable('training_modules')
    .set({
      [`${place}_importid`]: importid,
      ...(isPromoted ? { draft_importid: null } : {}),
      modified_date: ctx.seconds,
    })
    .where('moduleid', '=', moduleid)
    .execute();
}

/**
 * Stages of courses that are about the module.
 *
 * - COURSE-6 The usage of a module includes the number of assignments of each course.
 */
export async function usageOf(ctx: Context, moduleid: number): Promise<TrainingUsage[]> {
  const rows = await ctx.db
    .selectFrom('course_stages')
    .innerJoin('courses', 'courses.courseid', 'course_stages.courseid')
    .select((eb) => [
      'courses.courseid',
      'courses.title',
      'course_stageid',
      'course_stages.title as stage_title',
      eb
        .selectFrom('course_assignments')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('course_assignments.courseid', '=', 'courses.courseid')
        .as('assignments'),
    ])
    .where('doctype', '=', 'external_training_module')
    .where('docid', '=', moduleid)
    .orderBy('courses.courseid')
    .orderBy('orderby')
    .execute();
  return rows.map((row) => ({ ...row, assignments: row.assignments ?? 0 }));
}
