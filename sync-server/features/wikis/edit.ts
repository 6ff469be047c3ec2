import type { NewWiki, WikiEdit } from '#shared/api/wikis.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import { languageId } from '#shared/model/language.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';

import { wikiEdited } from '../merits/reputation-events.ts';
import { languageOf } from '../translation/glossary.ts';
import { contentAfter, requireFields } from './content.ts';
import { freeDeletedName, moveName, moveTranslations, requireFreeTitle, requireParent } from './place.ts';
import { mustSet } from './policy.ts';
import { newestWiki } from './record.ts';
import { findVersion, waitingAuthors } from './revisions.ts';
import { contentOf, patrolVersion, stubOf, versionsOf, writeVersion, type WikiContent } from './store.ts';

/** Creates a wiki, or with `source_revisionid` a translation of one. `langid`: the language in the query. */
export async function createWiki(
  ctx: Context,
  body: NewWiki,
  langid: string | undefined,
): Promise<WikiFacts> {
  const { namespace, source_revisionid: source, source_revision_id: other, ...fields } = body;
  const { title: _title, langid: given, ...edit } = fields;
  await requireSubject(ctx, body);
  requireFields(namespace, edit);
  const wanted = given ?? langid;
  const sourceid = source ?? other ?? null;
  const before =
    sourceid === null
      ? await blankWiki(ctx, body, languageOf(ctx, wanted ?? ctx.services.site.langid))
      : await blankTranslation(ctx, body, sourceid, wanted);
  await mustSet(ctx, before, { repairability_score: edit.repairability_score });
  const content = await contentAfter(ctx, before, edit);
  if (namespace === 'CATEGORY') await requirePlace(ctx, before, content);
  const facts = await writeVersion(
    ctx,
    undefined,
    { ...content, ...(ctx.key === null ? {} : { key: ctx.key }) },
    true,
  );
  if (ctx.key !== null) ctx.created(ctx.key, facts.wikiid);
  await wikiEdited(ctx, facts.wikiid, mustUserid(ctx));
  return facts;
}

async function blankWiki(ctx: Context, body: NewWiki, langid: string): Promise<WikiContent> {
  const { namespace, title } = body;
  await requireFreeTitle(ctx, { namespace }, title);
  return stubOf({ namespace, title, langid, parent: null, userid: mustUserid(ctx) });
}

/** The initial content of a translation: everything of its source except texts. */
async function blankTranslation(
  ctx: Context,
  body: NewWiki,
  sourceid: number,
  wanted: string | undefined,
): Promise<WikiContent> {
  const { namespace, title } = body;
  const source = await findVersion(ctx.db, sourceid);
  const facts = source === undefined ? undefined : await findDocument(ctx.db, 'wikis', source.wikiid);
  if (source === undefined || facts?.namespace !== namespace || facts.title !== title)
    throw invalid('source_revisionid', `Revision ${sourceid} is no version of this wiki`);
  if (wanted === undefined) throw invalid('langid', 'Name the language of the translation');
  const langid = languageOf(ctx, wanted);
  const versions = await versionsOf(ctx.db, namespace, title);
  if (versions.some((one) => languageId(one.langid) === langid))
    throw invalid('langid', `This wiki is there in ${langid} already`);
  const { key: _key, ...content } = contentOf(source);
  return {
    ...content,
    title,
    langid,
    parent: facts.parent,
    display_title: title,
    page_title: '',
    description: '',
    contents_raw: '',
    source_revisionid: sourceid,
    userid: mustUserid(ctx),
  };
}

/** Throws 422 unless the person or team of a USER or TEAM page exists. */
async function requireSubject(ctx: Context, { namespace, title }: NewWiki): Promise<void> {
  if (namespace !== 'USER' && namespace !== 'TEAM') return;
  const kind = namespace === 'USER' ? 'user' : 'team';
  const isId = /^[1-9]\d{0,15}$/.test(title);
  if (!isId || (await findDocument(ctx.db, 'people', `${kind}:${title}`)) === undefined)
    throw invalid('title', `There is no ${kind} ${title}`);
}

/** Throws 422 unless the category can have the new parent. A translation has the parent of its source. */
async function requirePlace(ctx: Context, before: WikiContent, content: WikiContent): Promise<void> {
  if (content.parent === before.parent) return;
  if (before.source_revisionid !== null)
    throw invalid('parent', 'A translation stands where its source does; move that');
  await requireParent(ctx, before.title, content.parent);
}

/**
 * Edits a wiki. Throws 409 with the newest version if `revisionid` is not its revision. Without the permission to
 * publish, the edit waits for patrol.
 *
 * - WIKI-4 When people with the permission to publish save, or revert to, exactly the waiting content, it is shown
 *   without a new version. A body without fields changes nothing.
 */
export async function editWiki(
  ctx: Context,
  facts: WikiFacts,
  revisionid: number,
  edit: WikiEdit,
): Promise<WikiFacts> {
  const before = newestVersion(facts);
  requireFields(facts.namespace, edit);
  const content = await contentAfter(ctx, contentOf(before), edit);
  // A published edit includes a waiting change of the parent.
  await requirePlace(ctx, can(ctx.viewer, 'wiki.publish', facts) ? facts : before, content);
  await requireName(ctx, before, content);
  await mustBeNewest(ctx, facts, revisionid);
  if (Object.keys(edit).length === 0) return facts;
  const waiting = await waitingAuthors(ctx.db, facts);
  const after = await write(ctx, facts, content);
  // A published version includes the waiting edits before it.
  if (after.unpatrolled === undefined) await creditAuthors(ctx, after, waiting);
  return after;
}

async function requireName(ctx: Context, before: WikiContent, content: WikiContent): Promise<void> {
  if (content.title === before.title) return;
  if (before.namespace === 'USER' || before.namespace === 'TEAM')
    throw invalid('title', 'The page of a person or team is named by its id');
  if (before.source_revisionid !== null)
    throw invalid('title', 'A translation has the name of its source; rename that');
  await requireFreeTitle(ctx, before, content.title, before.title);
}

/** Stores the content of an earlier version again, with the current title and parent. */
export async function revertWiki(
  ctx: Context,
  facts: WikiFacts,
  revisionid: number,
  target: number,
): Promise<WikiFacts> {
  const before = newestVersion(facts);
  const version = await findVersion(ctx.db, target);
  if (version?.wikiid !== facts.wikiid)
    throw invalid('to_revisionid', `Revision ${target} is no version of this wiki`);
  const { title, langid, parent, namespace, source_revisionid } = facts;
  const content = {
    ...withEmptyOptions(contentOf(before)),
    ...contentOf(version),
    title,
    langid,
    parent,
    namespace,
    source_revisionid,
  };
  await mustSet(ctx, before, {
    display_title: content.display_title,
    repairability_score: content.repairability_score ?? null,
  });
  await mustBeNewest(ctx, facts, revisionid);
  return write(ctx, facts, content);
}

/** Publishes the newest version; throws 409 if `revisionid` is not its revision. */
export async function patrolWiki(ctx: Context, facts: WikiFacts, revisionid: number): Promise<WikiFacts> {
  const newest = newestVersion(facts);
  await requirePlace(ctx, facts, newest);
  await mustBeNewest(ctx, facts, revisionid);
  const waiting = await waitingAuthors(ctx.db, facts);
  const after = await patrolVersion(ctx, facts);
  await creditAuthors(ctx, after, waiting);
  if (after.parent !== facts.parent) await moveTranslations(ctx, after);
  return after;
}

/** Grants merits to people whose text on the wiki is shown now. */
async function creditAuthors(ctx: Context, { wikiid }: WikiFacts, userids: number[]): Promise<void> {
  for (const userid of userids) await wikiEdited(ctx, wikiid, userid);
}

/** Stores a checked edit, and updates records that depend on the title and parent of the wiki. */
async function write(ctx: Context, facts: WikiFacts, content: WikiContent): Promise<WikiFacts> {
  const isPublished = can(ctx.viewer, 'wiki.publish', facts);
  const isRenamed = content.title !== facts.title;
  if (isRenamed) await freeDeletedName(ctx, facts, content.title);
  const after = await writeVersion(ctx, facts, { ...content, userid: mustUserid(ctx) }, isPublished);
  const isNew = after.revisionid !== newestVersion(facts).revisionid;
  if (isNew && after.unpatrolled === undefined) await creditAuthors(ctx, after, [mustUserid(ctx)]);
  if (isRenamed) await moveName(ctx, after, facts.title);
  if (after.parent !== facts.parent && after.source_revisionid === null) await moveTranslations(ctx, after);
  return after;
}

/** Throws 409 with the newest version if `revisionid` is given and is not its revision. */
export async function mustBeNewest(
  ctx: Context,
  facts: WikiFacts,
  revisionid: number | undefined,
): Promise<void> {
  if (revisionid !== undefined && revisionid !== newestVersion(facts).revisionid)
    throw conflict(await newestWiki(ctx, facts));
}

/** The content with empty optional fields: the base for a revert to a version that lacks them. */
function withEmptyOptions(content: WikiContent): WikiContent {
  return {
    ...content,
    ...(content.page_title === undefined ? {} : { page_title: '' }),
    ...(content.documents === undefined ? {} : { documents: [] }),
    ...(content.info === undefined ? {} : { info: [] }),
    ...(content.suppliers === undefined ? {} : { suppliers: [] }),
    ...(content.repairability_score === undefined ? {} : { repairability_score: null }),
  };
}
