import { notFound } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import type { Topic, Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts, WikiVersion } from '#shared/model/wiki.ts';
import { authorRecord } from '#shared/rules/people.ts';
import {
  newestVersion,
  topicRecord,
  wikiRecord,
  type CategorySurroundings,
  type WikiSurroundings,
} from '#shared/rules/wiki-record.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument, findDocuments } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import { featuredFlags, flagRecordOf } from '../guides/flags.ts';
import { guideSummaries } from '../guides/record.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';
import { tagsOfWiki } from '../tags/store.ts';
import { findPeople } from '../users/store.ts';
import { linkedWikis } from './linked.ts';
import { guideidsIn } from './list.ts';
import { ancestorsOf, childrenOf, siblingsOf } from './relatives.ts';
import { versionRows } from './store.ts';

/**
 * A version of a wiki as a full record, as this viewer may see it.
 *
 * - WIKI-5 Titles of surrounding categories are in the requested language (`langid`), even if the category itself has
 *   no translation.
 */
export async function fullWiki(
  ctx: Context,
  facts: WikiFacts,
  version: WikiVersion,
  langid?: string,
): Promise<Wiki> {
  return wikiRecord(version, await surroundingsOf(ctx, facts, version, langid));
}

/** The newest version, patrolled or not: for the answer to an edit and the body of a 409. */
export async function newestWiki(ctx: Context, facts: WikiFacts): Promise<Wiki> {
  return fullWiki(ctx, facts, newestVersion(facts));
}

/** The newest version of a wiki by its id; throws 404 if it is deleted or may not be seen. */
export async function representWiki(ctx: Context, wikiid: number): Promise<Wiki> {
  const facts = await findDocument(ctx.db, 'wikis', wikiid);
  if (facts === undefined || !can(ctx.viewer, 'wiki.see', facts)) throw notFound('Wiki');
  return newestWiki(ctx, facts);
}

/** The category as a record of `GET /categories/{categoryname}`. */
export async function fullTopic(ctx: Context, facts: WikiFacts, version: WikiVersion): Promise<Topic> {
  return topicRecord(version, await surroundingsOf(ctx, facts, version));
}

async function surroundingsOf(
  ctx: Context,
  facts: WikiFacts,
  version: WikiVersion,
  langid = version.langid,
): Promise<WikiSurroundings> {
  const category = version.namespace === 'CATEGORY' ? await categoryOf(ctx, version, langid) : null;
  const linked = await linkedWikis(ctx, version);
  const around = [
    ...linked,
    ...(category === null ? [] : [...category.children, ...category.ancestors, ...category.siblings]),
  ];
  const userids = await authorsOf(ctx, version);
  const people = await findPeople(ctx.db, userids);
  const authors = userids.flatMap((userid) => {
    const person = people.get(userid);
    return person === undefined ? [] : [authorRecord(person, ctx.baseUrl)];
  });
  return {
    baseUrl: ctx.baseUrl,
    wiki: await wikiContextFor(
      ctx,
      [version, ...around].map((one) => one.contents_raw),
      version.langid,
    ),
    author: userids[0] ?? version.userid,
    authors,
    availableLangids: await languagesOf(ctx, facts),
    latestRevisionid: newestVersion(facts).revisionid,
    linkedWikis: linked,
    tags: await tagsOfWiki(ctx.db, facts.wikiid),
    canEdit: can(ctx.viewer, 'wiki.edit', facts),
    flagRecord: (flagid) => flagRecordOf(flagid, ctx.baseUrl),
    category,
  };
}

async function categoryOf(ctx: Context, version: WikiVersion, langid: string): Promise<CategorySurroundings> {
  const asked = { ...version, langid };
  const found = await findDocuments(ctx.db, 'guides', await guideidsIn(ctx, version.title));
  // When a call renames the category, its guides are not published yet.
  const guides = found.map((one) => ({ ...one, category: version.title }));
  const summaries = await guideSummaries(ctx, guides);
  return {
    guides: guides.map((one, index) => ({ facts: one, summary: must(summaries[index], 'a summary') })),
    children: await childrenOf(ctx, asked),
    ancestors: await ancestorsOf(ctx, asked),
    siblings: await siblingsOf(ctx, asked),
    isFeatured: (guide) => guide.flags.some((flag) => featuredFlags.includes(flag)),
  };
}

async function languagesOf(ctx: Context, { namespace, title }: WikiFacts): Promise<string[]> {
  return (await versionRows(ctx.db, { namespace, title })).map(({ langid }) => langid).toSorted();
}

/** The people who wrote a version or an earlier one, the first author first. */
async function authorsOf(ctx: Context, { wikiid, revisionid }: WikiVersion): Promise<number[]> {
  const rows = (await revisionAuthors(ctx.db, { wikiid, revisionid })).toSorted(
    (a, b) => a.revisionid - b.revisionid,
  );
  return [...new Set(rows.map((row) => row.userid))];
}

const revisionAuthors = prepared<
  { wikiid: number; revisionid: number },
  { userid: number; revisionid: number }
>((db, value) =>
  db
    .selectFrom('wiki_revisions')
    .select(['userid', 'revisionid'])
    .where('wikiid', '=', value('wikiid'))
    .where('revisionid', '<=', value('revisionid')),
);
