import { must } from '#shared/must.ts';
import type { Topic, Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { authorRecord } from '#shared/rules/people.ts';
import {
  topicRecord,
  wikiRecord,
  type CategorySurroundings,
  type WikiSurroundings,
} from '#shared/rules/wiki-record.ts';
import { can } from '#server/access/can.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { featuredFlags, flagRecordOf } from '../guides/flags.ts';
import { guideSummaries } from '../guides/record.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';
import { findPeople } from '../users/store.ts';
import { guideidsIn, wikisOf } from './list.ts';
import { versionsOf } from './store.ts';
import { byTitle } from './tree.ts';

/** The full wiki as this viewer may see it. */
export async function fullWiki(ctx: Context, facts: WikiFacts): Promise<Wiki> {
  return wikiRecord(facts, await surroundingsOf(ctx, facts));
}

/** The category as `GET /categories/{categoryname}` answers it. */
export async function fullTopic(ctx: Context, facts: WikiFacts): Promise<Topic> {
  return topicRecord(facts, await surroundingsOf(ctx, facts));
}

async function surroundingsOf(ctx: Context, facts: WikiFacts): Promise<WikiSurroundings> {
  const category = facts.namespace === 'CATEGORY' ? await categoryOf(ctx, facts) : null;
  const around = category === null ? [] : [...category.children, ...category.ancestors, ...category.siblings];
  const userids = await authorsOf(ctx, facts.wikiid);
  const people = await findPeople(ctx.db, userids);
  const authors = userids.flatMap((userid) => {
    const person = people.get(userid);
    return person === undefined ? [] : [authorRecord(person, ctx.baseUrl)];
  });
  const versions = await versionsOf(ctx.db, facts.namespace, facts.title);
  return {
    baseUrl: ctx.baseUrl,
    wiki: await wikiContextFor(
      ctx,
      [facts, ...around].map((one) => one.contents_raw),
    ),
    author: authors[0] ?? null,
    authors,
    availableLangids: versions.map((one) => one.langid),
    tags: await tagsOf(ctx, facts.wikiid),
    canEdit: can(ctx.viewer, 'wiki.edit', facts),
    flagRecord: (flagid) => flagRecordOf(flagid, ctx.baseUrl),
    category,
  };
}

async function categoryOf(ctx: Context, facts: WikiFacts): Promise<CategorySurroundings> {
  const all = await wikisOf(ctx, 'CATEGORY', facts.langid);
  const byName = new Map(all.map((one) => [one.title, one]));
  const ancestors: WikiFacts[] = [];
  const seen = new Set([facts.title]);
  let above = facts.parent === null ? undefined : byName.get(facts.parent);
  while (above !== undefined && !seen.has(above.title)) {
    ancestors.push(above);
    seen.add(above.title);
    above = above.parent === null ? undefined : byName.get(above.parent);
  }
  const guides = await findDocuments(ctx.db, 'guides', await guideidsIn(ctx, facts.title));
  const summaries = await guideSummaries(ctx, guides);
  return {
    guides: guides.map((one, index) => ({ facts: one, summary: must(summaries[index], 'a summary') })),
    children: byTitle(all.filter((one) => one.parent === facts.title)),
    ancestors,
    siblings: byTitle(
      all.filter((one) => facts.parent !== null && one.parent === facts.parent && one.title !== facts.title),
    ),
    isFeatured: (guide) => guide.flags.some((flag) => featuredFlags.includes(flag)),
  };
}

/** Who wrote a wiki, the first author first. */
async function authorsOf(ctx: Context, wikiid: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('wiki_revisions')
    .select('userid')
    .where('wikiid', '=', wikiid)
    .orderBy('revisionid')
    .execute();
  return [...new Set(rows.map((row) => row.userid))];
}

async function tagsOf(ctx: Context, wikiid: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('wiki_tags')
    .innerJoin('tags', 'tags.tagid', 'wiki_tags.tagid')
    .select('name')
    .where('wikiid', '=', wikiid)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
