import type { Selectable } from 'kysely';

import { inLanguage } from '#shared/model/language.ts';
import type { WikiVersion } from '#shared/model/wiki.ts';
import { shownVersion } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { byTitle } from './tree.ts';

/** Most levels of categories, so that building trees and answers does not overflow the stack. */
export const mostLevels = 100;

/** Most siblings in the record of a category, first by title. */
const mostSiblings = 50;

/** The part of a category that determines its relatives. */
type Named = Pick<WikiVersion, 'title' | 'parent' | 'langid'>;

/** The categories directly below, by title, in the category's language if there is a translation. */
export async function childrenOf(ctx: Context, category: Named): Promise<WikiVersion[]> {
  return categoriesTitled(ctx, await childTitles(ctx.db, category.title), category.langid);
}

/** The categories with the same parent, by title; none at the top level. */
export async function siblingsOf(ctx: Context, category: Named): Promise<WikiVersion[]> {
  if (category.parent === null) return [];
  const titles = (await childTitles(ctx.db, category.parent)).filter((title) => title !== category.title);
  const first = byTitle(titles.map((title) => ({ title }))).slice(0, mostSiblings);
  return categoriesTitled(
    ctx,
    first.map(({ title }) => title),
    category.langid,
  );
}

/** The categories above, nearest first. */
export async function ancestorsOf(ctx: Context, category: Named): Promise<WikiVersion[]> {
  const titles = await ancestorTitles(ctx.db, category.title, category.parent);
  const found = await categoriesTitled(ctx, titles, category.langid);
  const byName = new Map(found.map((one) => [one.title, one]));
  return titles.flatMap((title) => byName.get(title) ?? []);
}

/** Titles above a category with this `parent`, nearest first. Stops at a cycle. */
export async function ancestorTitles(db: Db, title: string, parent: string | null): Promise<string[]> {
  const seen = new Set([title]);
  for (let above = parent; above !== null && !seen.has(above) && seen.size <= mostLevels;) {
    const rows = await parentRows(db, { title: above });
    const row = rows.find((one) => one.source_revisionid === null) ?? rows[0];
    if (row === undefined) break;
    seen.add(above);
    above = row.parent;
  }
  return [...seen].slice(1);
}

/** Titles of the categories directly below any of these titles. */
export async function childTitles(db: Db, ...titles: string[]): Promise<string[]> {
  return [...new Set((await childRows(db, titles, {})).map((row) => row.title))];
}

/** The number of levels below a title, counted up to `mostLevels`. */
export async function levelsBelow(db: Db, title: string): Promise<number> {
  const seen = new Set([title]);
  let open = [title];
  for (let level = 0; level <= mostLevels; level += 1) {
    open = (await childTitles(db, ...open)).filter((one) => !seen.has(one));
    if (open.length === 0) return level;
    for (const one of open) seen.add(one);
  }
  return mostLevels;
}

async function categoriesTitled(
  ctx: Context,
  titles: readonly string[],
  langid: string,
): Promise<WikiVersion[]> {
  if (titles.length === 0) return [];
  const rows = await titledRows(ctx.db, titles, {});
  const siteLangid = ctx.services.site.langid;
  const chosen = [...Map.groupBy(rows, (row) => row.title).values()].flatMap(
    (versions) => inLanguage(versions, langid, siteLangid) ?? [],
  );
  const facts = await findDocuments(
    ctx.db,
    'wikis',
    byTitle(chosen).map((row) => row.wikiid),
  );
  return facts.map(shownVersion);
}

const parentRows = prepared<{ title: string }, { parent: string | null; source_revisionid: number | null }>(
  (db, value) =>
    db
      .selectFrom('wikis')
      .select(['parent', 'source_revisionid'])
      .where('namespace', '=', 'CATEGORY')
      .where('title', '=', value('title'))
      .where('deleted', '=', 0),
);

const childRows = preparedList<Record<never, never>, string, { title: string }>((db, parents) =>
  db
    .selectFrom('wikis')
    .select('title')
    .where('namespace', '=', 'CATEGORY')
    .where('parent', 'in', parents)
    .where('deleted', '=', 0),
);

const titledRows = preparedList<
  Record<never, never>,
  string,
  Pick<Selectable<Tables['wikis']>, 'wikiid' | 'title' | 'langid' | 'source_revisionid'>
>((db, titles) =>
  db
    .selectFrom('wikis')
    .select(['wikiid', 'title', 'langid', 'source_revisionid'])
    .where('namespace', '=', 'CATEGORY')
    .where('title', 'in', titles)
    .where('deleted', '=', 0),
);
