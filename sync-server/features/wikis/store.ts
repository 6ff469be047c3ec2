import { inLanguage } from '#shared/model/language.ts';
import type { WikiFacts, WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { isStub, newestVersion, shownVersion } from '#shared/rules/wiki-record.ts';
import { wikiAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, findDocuments, nextNumber } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/** The content of a version, without the ids and dates that are assigned when it is stored. */
export type WikiContent = Omit<WikiVersion, 'wikiid' | 'revisionid' | 'created_date' | 'modified_date'>;

/** The content of a version. */
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

/** A wiki without text and picture: the initial content of a category. */
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

/** The wiki with this title and language, or undefined. */
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

/** A wiki in all of its languages. */
export async function versionsOf(db: Db, namespace: WikiNamespace, title: string): Promise<WikiFacts[]> {
  const rows = (await versionRows(db, { namespace, title })).toSorted((a, b) =>
    a.langid < b.langid ? -1 : 1,
  );
  return findDocuments(
    db,
    'wikis',
    rows.map((row) => row.wikiid),
  );
}

/** The versions of a wiki in all languages, in any order: sorting them in the statement would plan it each time. */
export const versionRows = prepared<{ namespace: string; title: string }, { wikiid: number; langid: string }>(
  (db, value) =>
    db
      .selectFrom('wikis')
      .select(['wikiid', 'langid'])
      .where('namespace', '=', value('namespace'))
      .where('title', '=', value('title'))
      .where('deleted', '=', 0),
);

/**
 * The wiki named in a path, in the best available language.
 *
 * - WIKI-1 A wiki is found by its exact title, then with `_` and `+` as spaces (API facts 4), then by an earlier title,
 *   which devices that were offline may use, and then regardless of case, because offline copies of a site ask for
 *   lower-case titles. An earlier title belongs to the wiki that had it last.
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

/** The first title that differs from `title` only in case, `_` and `+`. */
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
 * Stores the next version of a wiki, found by namespace, title and language, and publishes it. Without a difference
 * there is no new version; a waiting version is published.
 */
export async function saveWiki(ctx: Context, content: WikiContent): Promise<WikiFacts> {
  const before = await findWiki(ctx.db, content.namespace, content.title, content.langid);
  return writeVersion(ctx, before, content, true);
}

/**
 * `saveWiki` for a known wiki, regardless of its title. Without patrol, the shown version stays and the new one waits.
 * A patrolled version includes the waiting versions before it, so they count as patrolled too.
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

/** Publishes the newest version of a wiki. */
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

/** Stores the facts of a wiki and the columns for lists and trees, and publishes them. */
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
