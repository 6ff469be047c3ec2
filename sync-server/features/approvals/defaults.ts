import { notFound } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { ancestorTitles } from '../wikis/relatives.ts';

/** Throws 404 unless the wiki is an existing category. */
export async function mustFindCategory(db: Db, wikiid: number): Promise<void> {
  const row = await db
    .selectFrom('wikis')
    .select('wikiid')
    .where('wikiid', '=', wikiid)
    .where('namespace', '=', 'CATEGORY')
    .where('deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Category');
}

/**
 * Sets the default process of a category.
 *
 * - APPROVAL-3 A new guide gets the default process of its category, or else of the nearest category above it. Setting,
 *   changing or removing a default, and moving a guide, do not affect existing guides.
 */
export async function setDefault(ctx: Context, wikiid: number, approval_processid: number): Promise<void> {
  await ctx.db
    .insertInto('category_approvals')
    .values({ wikiid, approval_processid })
    .onConflict((conflict) => conflict.column('wikiid').doUpdateSet({ approval_processid }))
    .execute();
}

/** Removes the default process of a category, if it has one. */
export async function removeDefault(ctx: Context, wikiid: number): Promise<void> {
  await ctx.db.deleteFrom('category_approvals').where('wikiid', '=', wikiid).execute();
}

/** The default process for a new guide in a category (APPROVAL-3); null if there is none. */
export async function defaultProcess(db: Db, category: string): Promise<number | null> {
  const any = await db.selectFrom('category_approvals').select('wikiid').limit(1).execute();
  if (any.length === 0 || category === '') return null;
  const parent = (await versionsOf(db, category))[0]?.parent ?? null;
  for (const title of [category, ...(await ancestorTitles(db, category, parent))]) {
    const ids = (await versionsOf(db, title)).map((row) => row.wikiid);
    if (ids.length === 0) continue;
    const row = await db
      .selectFrom('category_approvals')
      .select('approval_processid')
      .where('wikiid', 'in', ids)
      .orderBy('wikiid')
      .executeTakeFirst();
    if (row !== undefined) return row.approval_processid;
  }
  return null;
}

/** A category in all its languages, the source language first. */
async function versionsOf(db: Db, title: string): Promise<{ wikiid: number; parent: string | null }[]> {
  const rows = await db
    .selectFrom('wikis')
    .select(['wikiid', 'parent', 'source_revisionid'])
    .where('namespace', '=', 'CATEGORY')
    .where('title', '=', title)
    .where('deleted', '=', 0)
    .orderBy('wikiid')
    .execute();
  return rows.toSorted((a, b) => Number(a.source_revisionid !== null) - Number(b.source_revisionid !== null));
}
