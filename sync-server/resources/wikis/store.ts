import { notFound } from '#shared/api/problem.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { wikiAudience } from '#server/access/audience.ts';
import type { Context } from '#server/http/context.ts';
import { findDocument, findDocuments, nextNumber } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** What a wiki says, without the numbers and dates that storing it gives. */
export type WikiContent = Omit<WikiFacts, 'wikiid' | 'revisionid' | 'created_date' | 'modified_date'>;

/** A wiki without text and picture: what a category is until somebody writes about it. */
export function stubOf(
  wiki: Pick<WikiContent, 'namespace' | 'title' | 'langid' | 'parent' | 'userid'>,
): WikiContent {
  return {
    ...wiki,
    display_title: wiki.title,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
    source_revisionid: null,
  };
}

/** The wiki of a title in the language it was written in, or undefined. */
export async function findWiki(
  db: Db,
  namespace: WikiNamespace,
  title: string,
  langid: string,
): Promise<WikiFacts | undefined> {
  const row = await db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', namespace)
    .where('title', '=', title)
    .where('langid', '=', langid)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  return row === undefined ? undefined : findDocument(db, 'wikis', row.wikiid);
}

/** Every language a wiki is there in. */
export async function versionsOf(db: Db, namespace: WikiNamespace, title: string): Promise<WikiFacts[]> {
  const rows = await db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', namespace)
    .where('title', '=', title)
    .where('deleted', '=', 0)
    .orderBy('langid')
    .execute();
  return findDocuments(
    db,
    'wikis',
    rows.map((row) => row.wikiid),
  );
}

/** The wiki named in a path, where `_` and `+` may stand for spaces (API facts 4); 404 when there is none. */
export async function readWiki(
  ctx: Context,
  namespace: WikiNamespace,
  title: string,
  langid: string | undefined,
): Promise<WikiFacts> {
  const spellings = [title, title.replaceAll('_', ' '), title.replaceAll(/[_+]/g, ' ')];
  for (const spelling of new Set(spellings)) {
    const versions = await versionsOf(ctx.db, namespace, spelling);
    const facts = inLanguage(versions, langid ?? ctx.services.site.langid, ctx.services.site.langid);
    if (facts !== undefined) return facts;
  }
  throw notFound('Wiki');
}

/** The version in the wanted language, else the one in the language of the site, else the source. */
export function inLanguage(versions: WikiFacts[], langid: string, siteLangid: string): WikiFacts | undefined {
  return (
    versions.find((one) => one.langid === langid) ??
    versions.find((one) => one.langid === siteLangid) ??
    versions.find((one) => one.source_revisionid === null) ??
    versions[0]
  );
}

/**
 * Stores the next version of a wiki, found by namespace, title and language, and publishes it. When nothing differs,
 * nothing is written and the revision stays.
 */
export async function saveWiki(ctx: Context, content: WikiContent): Promise<WikiFacts> {
  const before = await findWiki(ctx.db, content.namespace, content.title, content.langid);
  if (before !== undefined && sameValue(before, { ...before, ...content, userid: before.userid }))
    return before;
  const wikiid = before?.wikiid ?? (await newWikiId(ctx, content));
  const after: WikiFacts = {
    ...content,
    wikiid,
    revisionid: await nextNumber(ctx.db, 'revision'),
    created_date: before?.created_date ?? ctx.seconds,
    modified_date: ctx.seconds,
  };
  await ctx.db
    .updateTable('wikis')
    .set({
      revisionid: after.revisionid,
      parent: after.parent,
      deleted: 0,
      modified_date: after.modified_date,
    })
    .where('wikiid', '=', wikiid)
    .execute();
  await ctx.db
    .insertInto('wiki_revisions')
    .values({
      revisionid: after.revisionid,
      wikiid,
      userid: after.userid,
      date: ctx.seconds,
      body: JSON.stringify(after),
    })
    .execute();
  ctx.changes.put('wikis', wikiid, after, wikiAudience());
  return after;
}

async function newWikiId(ctx: Context, { namespace, title, langid }: WikiContent): Promise<number> {
  const row = await ctx.db
    .insertInto('wikis')
    .values({ namespace, title, langid, revisionid: 0, parent: null, deleted: 0, modified_date: ctx.seconds })
    .onConflict((conflict) => conflict.columns(['namespace', 'title', 'langid']).doUpdateSet({ deleted: 0 }))
    .returning('wikiid')
    .executeTakeFirstOrThrow();
  return row.wikiid;
}
