import { invalid } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { mustFindImport } from './imports.ts';
import { mustFindModule, usageOf } from './modules.ts';

/** Deletes a version of a module with its files; results stay (TRAINING-18). */
export async function removeImport(ctx: Context, importid: number): Promise<void> {
  await ctx.write(async (inside) => {
    const { moduleid, status } = await mustFindImport(inside.db, importid);
    mustBeOver(importid, status);
    const { current_importid } = await mustFindModule(inside.db, moduleid);
    if (current_importid === importid)
      throw invalid('importid', 'Learners play this version. Make another one current first');
    await emptyImport(inside, importid);
    await inside.db
      .updateTable('training_modules')
      .set({ draft_importid: null, modified_date: inside.seconds })
      .where('draft_importid', '=', importid)
      .execute();
  });
  await ctx.services.training.files.clear(importid);
}

/**
 * Deletes a module with all its versions.
 *
 * - TRAINING-18 A module that no course uses, and a version that is not current, can be deleted with its files; results
 *   stay. A running import must be cancelled first.
 */
export async function removeModule(ctx: Context, moduleid: number): Promise<void> {
  const removed: number[] = [];
  await ctx.write(async (inside) => {
    await mustFindModule(inside.db, moduleid);
    const [used] = await usageOf(inside, moduleid);
    if (used !== undefined) throw invalid('id', `The course “${used.title}” asks for this module`);
    const imports = await inside.db
      .selectFrom('training_imports')
      .select(['importid', 'status'])
      .where('moduleid', '=', moduleid)
      .execute();
    for (const { importid, status } of imports) mustBeOver(importid, status);
    for (const { importid } of imports) await emptyImport(inside, importid);
    removed.push(...imports.map(({ importid }) => importid));
    await forgetModule(inside, moduleid);
  });
  for (const importid of removed) await ctx.services.training.files.clear(importid);
}

function mustBeOver(importid: number, status: string): void {
  if (status === 'created' || status === 'running')
    throw invalid('importid', `Import ${importid} is under way. Cancel it first`);
}

/** Deletes the playable content of an import, and its row unless results refer to it. */
async function emptyImport(ctx: Context, importid: number): Promise<void> {
  await ctx.db.deleteFrom('training_sessions').where('importid', '=', importid).execute();
  await ctx.db.deleteFrom('training_files').where('importid', '=', importid).execute();
  const isUsed = await hasResults(ctx.db, importid);
  if (isUsed)
    await ctx.db
      .updateTable('training_imports')
      .set({ package: null })
      .where('importid', '=', importid)
      .execute();
  else {
    await ctx.db.deleteFrom('training_registrations').where('importid', '=', importid).execute();
    await ctx.db.deleteFrom('training_imports').where('importid', '=', importid).execute();
  }
}

async function hasResults(db: Db, importid: number): Promise<boolean> {
  const found = await db
    .selectFrom('training_registrations')
    .select('registrationid')
    .where('importid', '=', importid)
    .where('preview', '=', 0)
    .executeTakeFirst();
  return found !== undefined;
}

async function forgetModule(ctx: Context, moduleid: number): Promise<void> {
  const kept = await ctx.db
    .selectFrom('training_imports')
    .select('importid')
    .where('moduleid', '=', moduleid)
    .executeTakeFirst();
  if (kept === undefined)
    await ctx.db.deleteFrom('training_modules').where('moduleid', '=', moduleid).execute();
  else
    await ctx.db
      .updateTable('training_modules')
      .set({ current_importid: null, draft_importid: null, modified_date: ctx.seconds })
      .where('moduleid', '=', moduleid)
      .execute();
}
