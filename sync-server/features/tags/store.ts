import { sql } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import { isReservedTag, reservedTagPrefixes } from '#shared/model/tag.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { wikiAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { startsWith } from '#server/storage/dialect.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';

/** An audience without members, so that the list in the query is never empty. */
const nobody = 0;

/**
 * GET /tags: names of the tags of records that the viewer may see, ordered by tagid, so that tags of private guides
 * stay hidden. Reserved tags are left out (API facts 3).
 */
export async function listTags(
  ctx: Context,
  query: { order: 'ASC' | 'DESC'; offset: number; limit: number },
): Promise<string[]> {
  const visible = [nobody, ...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  let select = ctx.db
    .selectFrom('tags')
    .select('name')
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('guide_tags')
            .innerJoin('documents', (join) =>
              join
                .on('documents.collection', '=', 'guides')
                .onRef('documents.id', '=', sql`CAST(guide_tags.guideid AS TEXT)`),
            )
            .select('guide_tags.tagid')
            .whereRef('guide_tags.tagid', '=', 'tags.tagid')
            .where('documents.audience', 'in', visible),
        ),
        eb.exists(
          eb
            .selectFrom('wiki_tags')
            .innerJoin('documents', (join) =>
              join
                .on('documents.collection', '=', 'wikis')
                .onRef('documents.id', '=', sql`CAST(wiki_tags.wikiid AS TEXT)`),
            )
            .select('wiki_tags.tagid')
            .whereRef('wiki_tags.tagid', '=', 'tags.tagid')
            .where('documents.audience', 'in', visible),
        ),
      ]),
    );
  for (const prefix of reservedTagPrefixes)
    select = select.where((eb) => eb.not(startsWith(ctx.db, 'name', prefix)));
  const rows = await readPage(ctx, select.orderBy('tagid', query.order === 'ASC' ? 'asc' : 'desc'), query);
  return rows.map((row) => row.name);
}

/** Tags of a wiki in alphabetical order. */
export async function tagsOfWiki(db: Db, wikiid: number): Promise<string[]> {
  const tagids = (await tagsOfWikiRow(db, { wikiid })).map(({ tagid }) => tagid);
  const rows = await tagNames(db, tagids, {});
  return rows
    .map(({ name }) => name)
    .filter((name) => !isReservedTag(name))
    .toSorted();
}

const tagsOfWikiRow = prepared<{ wikiid: number }, { tagid: number }>((db, value) =>
  db.selectFrom('wiki_tags').select('tagid').where('wikiid', '=', value('wikiid')),
);

/** Names of tags, in any order. */
export const tagNames = preparedList<Record<never, never>, number, { tagid: number; name: string }>(
  (db, tagids) => db.selectFrom('tags').select(['tagid', 'name']).where('tagid', 'in', tagids),
);

/** The id of a tag, which is created if needed (spec, "Tag"). */
export async function tagidOf(db: Db, name: string): Promise<number> {
  await db
    .insertInto('tags')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await db.selectFrom('tags').select('tagid').where('name', '=', name).executeTakeFirstOrThrow();
  return row.tagid;
}

/** Adds a tag to a wiki, if it does not have it. */
export async function addWikiTag(ctx: Context, facts: WikiFacts, name: string): Promise<void> {
  const tagid = await tagidOf(ctx.db, name);
  await ctx.db
    .insertInto('wiki_tags')
    .values({ wikiid: facts.wikiid, tagid })
    .onConflict((conflict) => conflict.columns(['wikiid', 'tagid']).doNothing())
    .execute();
  await publishWikiTags(ctx, facts);
}

/** Removes a tag from a wiki; throws 404 if the wiki does not have it. */
export async function removeWikiTag(ctx: Context, facts: WikiFacts, name: string): Promise<void> {
  const tag = await ctx.db
    .selectFrom('wiki_tags')
    .innerJoin('tags', 'tags.tagid', 'wiki_tags.tagid')
    .select('tags.tagid')
    .where('wikiid', '=', facts.wikiid)
    .where('name', '=', name)
    .executeTakeFirst();
  if (tag === undefined) throw notFound('Tag');
  await ctx.db
    .deleteFrom('wiki_tags')
    .where('wikiid', '=', facts.wikiid)
    .where('tagid', '=', tag.tagid)
    .execute();
  await publishWikiTags(ctx, facts);
}

async function publishWikiTags(ctx: Context, { wikiid }: WikiFacts): Promise<void> {
  const tags = await tagsOfWiki(ctx.db, wikiid);
  ctx.changes.put('viewer', `wikiTags:${wikiid}`, { kind: 'wikiTags', wikiid, tags }, wikiAudience());
}
