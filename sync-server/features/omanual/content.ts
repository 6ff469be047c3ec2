import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchiveContent, GuideToWrite, SiteOfOrigin } from '#shared/formats/omanual/content.ts';
import { authorElsewhere, type GuideAuthor } from '#shared/rules/people.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { chunks } from '#server/storage/chunks.ts';
import { findDocument } from '#server/storage/feed.ts';
import { callerOf } from '#server/platform/caller.ts';

import { formsOfVersion } from '../approvals/signed-forms.ts';
import { knownFlags } from '../guides/flags.ts';
import { tagsOf } from '../guides/record.ts';
import { visiblePrerequisites } from '../guides/released.ts';
import { wikiContextFor, wikiContextOf } from '../guides/wiki-context.ts';
import { findPerson } from '../users/store.ts';
import { mediaBytes } from './media-bytes.ts';
import { mentionOf, remembering, type Mentions } from './mentions.ts';
import type { Selection } from './selection.ts';

/** The site, as documents refer to it. */
export function siteOfOrigin(ctx: Context): SiteOfOrigin {
  return { base: ctx.baseUrl, flags: knownFlags };
}

/** A guide as this viewer may see it, ready to be written. `included`: the guides of the same archive. */
export async function guideToWrite(
  ctx: Context,
  facts: GuideFacts,
  included: ReadonlySet<number> = new Set(),
  mentions: Mentions = { mentioned: new Set(), usesTemplates: false, usesLists: false },
): Promise<GuideToWrite> {
  const author = await authorOf(ctx, facts);
  const tags = await tagsOf(ctx, [facts.guideid]);
  const prerequisites = await visiblePrerequisites(ctx, facts);
  for (const { guideid } of prerequisites) mentions.mentioned.add(guideid);
  return {
    facts: { ...facts, userid: author.userid },
    author: author.name,
    tags: tags.get(facts.guideid) ?? [],
    prerequisites: prerequisites.map((one) => mentionOf(one, included.has(one.guideid))),
    forms: await formsOfVersion(ctx.db, facts),
    wiki: remembering(await wikiContextOf(ctx, [facts]), mentions),
  };
}

/**
 * The author of a guide. For an imported guide it is its author on the other site, until the guide gets another author
 * here.
 */
async function authorOf(ctx: Context, facts: GuideFacts): Promise<GuideAuthor> {
  const elsewhere = authorElsewhere(facts);
  if (elsewhere !== undefined) return elsewhere;
  const person = await findPerson(ctx.db, facts.userid);
  return { userid: facts.userid, name: person?.username ?? '' };
}

/** The guides in an archive, and the records that these mention. */
export interface Shown extends Mentions {
  guides: Set<number>;
}

/** An empty `Shown`. */
export function nothingShown(): Shown {
  return { guides: new Set(), mentioned: new Set(), usesTemplates: false, usesLists: false };
}

/**
 * The content of an archive, as this viewer may see it. Guides are read lazily, one at a time; `between` runs before
 * each. Afterwards `shown` has what was written.
 */
export async function archiveContent(
  ctx: Context,
  { title, langid, categories, ancestors, guideids }: Selection,
  shown: Shown,
  between: (done: number) => Promise<void>,
): Promise<ArchiveContent> {
  const texts = categories.flatMap((one) => [one.description, one.contents_raw]);
  const included = new Set(guideids);
  async function* guides(): AsyncGenerator<GuideToWrite> {
    for (const [index, guideid] of guideids.entries()) {
      await between(index);
      const facts = await findDocument(ctx.db, 'guides', guideid);
      // Hidden or deleted since the selection.
      if (facts === undefined || !can(ctx.viewer, 'guide.see', facts)) continue;
      shown.guides.add(guideid);
      yield await guideToWrite(ctx, facts, included, shown);
    }
  }
  return {
    ...siteOfOrigin(ctx),
    title,
    langid,
    modified: await newestChange(ctx, categories, guideids),
    categories,
    ancestors,
    wiki: remembering(await wikiContextFor(ctx, texts, langid), shown),
    guides: guides(),
    members: await membersOf(ctx, guideids),
    media: (ref) => mediaBytes({ services: ctx.services, caller: callerOf(ctx) }, ref),
  };
}

/** The number of members in an archive of these guides: two for each guide, and one for each file. */
async function membersOf(ctx: Context, guideids: readonly number[]): Promise<number> {
  let files = 0;
  for (const some of chunks(guideids)) {
    const { count } = await ctx.db
      .selectFrom('file_uses')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('collection', '=', 'guides')
      .where('id', 'in', some.map(String))
      .executeTakeFirstOrThrow();
    files += Number(count);
  }
  return 2 * guideids.length + files + 2;
}

async function newestChange(
  ctx: Context,
  categories: readonly { modified_date: number }[],
  guideids: readonly number[],
): Promise<number> {
  const rows = await ctx.db.selectFrom('guides').select(['guideid', 'modified_date']).execute();
  const wanted = new Set(guideids);
  const dates = rows.filter((row) => wanted.has(row.guideid)).map((row) => row.modified_date);
  return [...dates, ...categories.map((one) => one.modified_date)].reduce((a, b) => Math.max(a, b), 0);
}
