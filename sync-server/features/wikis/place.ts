import { invalid } from '#shared/api/problem.ts';
import type { WikiFacts, WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { ancestorTitles, childTitles, levelsBelow, mostLevels } from './relatives.ts';
import { storeFacts, versionsOf } from './store.ts';

/**
 * Throws 422 unless a category can have `parent`: it exists, is not below the category, and the tree is not too deep.
 */
export async function requireParent(ctx: Context, title: string, parent: string | null): Promise<void> {
  if (parent === null) return;
  if (parent === title) throw invalid('parent', 'A category cannot be its own parent');
  if ((await versionsOf(ctx.db, 'CATEGORY', parent)).length === 0)
    throw invalid('parent', `There is no category ${parent}`);
  const above = [parent, ...(await ancestorTitles(ctx.db, parent, await parentOf(ctx, parent)))];
  if (above.includes(title)) throw invalid('parent', `${parent} stands below ${title} itself`);
  if (above.length + (await levelsBelow(ctx.db, title)) >= mostLevels)
    throw invalid('parent', `Categories nest ${mostLevels} deep at most`);
}

async function parentOf(ctx: Context, title: string): Promise<string | null> {
  const versions = await versionsOf(ctx.db, 'CATEGORY', title);
  return (versions.find((one) => one.source_revisionid === null) ?? versions[0])?.parent ?? null;
}

/** Throws 422 for a title that a tree of categories cannot have. */
export function requireTreeTitle(namespace: WikiNamespace, title: string): void {
  // Trees of categories are objects with titles as keys, and JavaScript programs that copy one lose this key.
  if (namespace === 'CATEGORY' && title === '__proto__')
    throw invalid('title', 'A category cannot be called __proto__. Give it another title');
}

/**
 * Throws 422 if another wiki of the namespace has the title. Underscores and spaces are equal, because links contain
 * either. `own`: the current title of the wiki.
 */
export async function requireFreeTitle(
  ctx: Context,
  { namespace }: Pick<WikiVersion, 'namespace'>,
  title: string,
  own: string | null = null,
): Promise<void> {
  requireTreeTitle(namespace, title);
  const taken = await ctx.db
    .selectFrom('wikis')
    .select('title')
    .where('namespace', '=', namespace)
    .where(
      (build) => build.fn<string>('replace', ['title', build.val('_'), build.val(' ')]),
      '=',
      title.replaceAll('_', ' '),
    )
    .where('deleted', '=', 0)
    .$if(own !== null, (query) => query.where('title', '!=', own))
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('title', `There is a wiki ${taken.title} already`);
}

/** Gives the translations of a category the parent of their source, without new versions. */
export async function moveTranslations(ctx: Context, source: WikiFacts): Promise<void> {
  for (const one of await versionsOf(ctx.db, source.namespace, source.title)) {
    if (one.wikiid !== source.wikiid && one.parent !== source.parent)
      await storeFacts(ctx, withFields(one, { parent: source.parent }));
  }
}

/**
 * Updates the records that refer to the old title of a wiki: translations, the categories below, and the guides in it.
 * Their content stays, so this creates no versions.
 */
export async function moveName(ctx: Context, source: WikiFacts, oldTitle: string): Promise<void> {
  const { namespace, title, wikiid } = source;
  await ctx.db
    .insertInto('wiki_names')
    .values({ namespace, title: oldTitle, wikiid })
    .onConflict((conflict) => conflict.columns(['namespace', 'title']).doUpdateSet({ wikiid }))
    .execute();
  for (const one of await versionsOf(ctx.db, namespace, oldTitle))
    if (one.wikiid !== source.wikiid) await storeFacts(ctx, withFields(one, { title }));
  if (namespace !== 'CATEGORY') return;
  for (const child of await childTitles(ctx.db, oldTitle))
    for (const one of await versionsOf(ctx.db, 'CATEGORY', child))
      await storeFacts(ctx, withFields(one, { parent: title }));
  await moveGuides(ctx, oldTitle, title);
}

/** Frees the title of a deleted wiki for another one. */
export async function freeDeletedName(
  ctx: Context,
  { namespace }: Pick<WikiVersion, 'namespace'>,
  title: string,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', namespace)
    .where('title', '=', title)
    .where('deleted', '=', 1)
    .execute();
  for (const { wikiid } of rows)
    await ctx.db
      .updateTable('wikis')
      .set({ title: `${title} (deleted ${wikiid})` })
      .where('wikiid', '=', wikiid)
      .execute();
}

/** The facts with changed fields in the shown and in the waiting version. */
function withFields(facts: WikiFacts, fields: Partial<Pick<WikiVersion, 'title' | 'parent'>>): WikiFacts {
  const { unpatrolled } = facts;
  return {
    ...facts,
    ...fields,
    ...(unpatrolled === undefined ? {} : { unpatrolled: { ...unpatrolled, ...fields } }),
  };
}

async function moveGuides(ctx: Context, oldTitle: string, title: string): Promise<void> {
  const rows = await ctx.db
    .updateTable('guides')
    .set({ category: title })
    .where('category', '=', oldTitle)
    .returning('guideid')
    .execute();
  const guides = await findDocuments(
    ctx.db,
    'guides',
    rows.map((row) => row.guideid),
  );
  for (const facts of guides)
    ctx.changes.put('guides', facts.guideid, { ...facts, category: title }, guideAudience(facts));
}
