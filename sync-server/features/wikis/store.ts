import { inLanguage } from '#shared/model/language.ts';
import type { WikiFacts, WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { isStub, newestVersion, shownVersion } from '#shared/rules/wiki-record.ts';
import { wikiAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, findDocuments, nextNumber } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** What a wiki says, without the numbers and dates that storing it gives. */
export type WikiContent = Omit<WikiVersion, 'wikiid' | 'revisionid' | 'created_date' | 'modified_date'>;

/** What a version says. */
export function contentOf(version: WikiVersion): WikiContent {
  const {
    wikiid: _wikiid,
    revisionid: _revision,
    created_date: _created,
    modified_date: _date,
    ...content
  } = version;
  return content;
}

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

/**
 * The wiki named in a path, where `_` and `+` may stand for spaces (API facts 4), in the best language there is. An
 * abandoned name is the name of the wiki that had it last: a device that was away calls it so. A name that none ever had
 * is looked for whatever its case: offline copies of a site ask for titles in lower case.
 */
export async function findByName(
  ctx: Context,
  namespace: WikiNamespace,
  title: string,
  langid: string | undefined,
): Promise<WikiFacts | undefined> {
  const spellings = new Set([title, title.replaceAll('_', ' '), title.replaceAll(/[_+]/g, ' ')]);
  for (const find of [versionsOf, versionsOnceCalled])
    for (const spelling of spellings) {
      const versions = await find(ctx.db, namespace, spelling);
      const facts = inLanguage(versions, langid, ctx.services.site.langid);
      if (facts !== undefined) return facts;
    }
  const similar = await titleLike(ctx.db, namespace, title);
  if (similar === undefined) return undefined;
  return inLanguage(await versionsOf(ctx.db, namespace, similar), langid, ctx.services.site.langid);
}

/** The first title that differs from `title` in its case and in what stands for spaces alone. */
async function titleLike(db: Db, namespace: WikiNamespace, title: string): Promise<string | undefined> {
  const rows = await db
    .selectFrom('wikis')
    .select('title')
    .distinct()
    .where('namespace', '=', namespace)
    .where('deleted', '=', 0)
    .orderBy('title')
    .execute();
  const wanted = plainTitle(title);
  return rows.find((row) => plainTitle(row.title) === wanted)?.title;
}

function plainTitle(title: string): string {
  return title.replaceAll(/[_+]/g, ' ').toLowerCase();
}

async function versionsOnceCalled(db: Db, namespace: WikiNamespace, oldTitle: string): Promise<WikiFacts[]> {
  const row = await db
    .selectFrom('wiki_names')
    .innerJoin('wikis', 'wikis.wikiid', 'wiki_names.wikiid')
    .select('wikis.title')
    .where('wiki_names.namespace', '=', namespace)
    .where('wiki_names.title', '=', oldTitle)
    .executeTakeFirst();
  return row === undefined ? [] : versionsOf(db, namespace, row.title);
}

/**
 * Stores the next version of a wiki, found by namespace, title and language, and publishes it. When nothing differs,
 * no version is made: the one that waits is shown.
 */
export async function saveWiki(ctx: Context, content: WikiContent): Promise<WikiFacts> {
  const before = await findWiki(ctx.db, content.namespace, content.title, content.langid);
  return writeVersion(ctx, before, content, true);
}

/**
 * `saveWiki` on a wiki that is known, under whatever title it has now. Unpatrolled: the version that is shown stays,
 * the new one waits beside it. A patrolled version holds what waited before it, so that this counts as patrolled too.
 */
export async function writeVersion(
  ctx: Context,
  before: WikiFacts | undefined,
  content: WikiContent,
  isPatrolled: boolean,
): Promise<WikiFacts> {
  const newest = before === undefined ? undefined : newestVersion(before);
  if (before !== undefined && sameValue(newest, { ...newest, ...content, userid: newest?.userid }))
    return isPatrolled ? patrolVersion(ctx, before) : before;
  const wikiid = before?.wikiid ?? (await newWikiId(ctx, content));
  const version: WikiVersion = {
    ...newest,
    ...content,
    wikiid,
    revisionid: await nextNumber(ctx.db, 'revision'),
    created_date: before?.created_date ?? ctx.seconds,
    modified_date: ctx.seconds,
  };
  await ctx.db
    .insertInto('wiki_revisions')
    .values({
      revisionid: version.revisionid,
      wikiid,
      userid: version.userid,
      date: ctx.seconds,
      body: JSON.stringify(version),
      patrolled: isPatrolled ? 1 : 0,
    })
    .execute();
  const after = isPatrolled || before === undefined ? version : { ...before, unpatrolled: version };
  if (before?.unpatrolled !== undefined && isPatrolled) await markPatrolled(ctx.db, wikiid);
  await storeFacts(ctx, after);
  return after;
}

/** Shows the newest version of a wiki to everybody. */
export async function patrolVersion(ctx: Context, before: WikiFacts): Promise<WikiFacts> {
  if (before.unpatrolled === undefined) return before;
  await markPatrolled(ctx.db, before.wikiid);
  const after: WikiFacts = before.unpatrolled;
  await storeFacts(ctx, after);
  return after;
}

async function markPatrolled(db: Db, wikiid: number): Promise<void> {
  await db.updateTable('wiki_revisions').set({ patrolled: 1 }).where('wikiid', '=', wikiid).execute();
}

/** Keeps the facts of a wiki, with what lists and trees read in columns, and publishes them. */
export async function storeFacts(ctx: Context, facts: WikiFacts): Promise<void> {
  const shown = shownVersion(facts);
  await ctx.db
    .updateTable('wikis')
    .set({
      title: shown.title,
      revisionid: shown.revisionid,
      parent: shown.parent,
      deleted: 0,
      modified_date: shown.modified_date,
      display_title: shown.display_title,
      stub: isStub(shown) ? 1 : 0,
      source_revisionid: shown.source_revisionid,
      unpatrolled_revisionid: facts.unpatrolled?.revisionid ?? null,
    })
    .where('wikiid', '=', facts.wikiid)
    .execute();
  ctx.changes.put('wikis', facts.wikiid, facts, wikiAudience());
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
