import { sql } from 'kysely';

import type { GuideFacts } from '#shared/model/guide.ts';
import { isReservedTag } from '#shared/model/tag.ts';
import {
  isListed,
  type GuideNames,
  type LinkableGuide,
  listCriteria,
  type ListCriteria,
} from '#shared/rules/linked-guides.ts';
import { guidePath } from '#shared/rules/urls.ts';
import type { NamedGuide } from '#shared/formats/wikitext/context.ts';
import type { Context } from '#server/core/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

/** Most values in a statement, and most titles and tags that are looked up for an answer. */
const valuesPerQuery = 500;

interface Linkable extends LinkableGuide {
  id: number;
  type: GuideFacts['type'];
  tags: string[];
}

/** Guides that texts refer to by title or in a list of guides, if the viewer may see them. */
export async function linkableGuides(ctx: Context, names: GuideNames): Promise<Linkable[]> {
  const wishes = names.lists.flatMap((options) => listCriteria(options) ?? []);
  if (names.titles.length === 0 && wishes.length === 0) return [];
  const audiences = [...(await visibleAudiences(ctx.db, ctx.viewer.principals))];
  if (audiences.length === 0) return [];
  const visible = ctx.db
    .selectFrom('guides')
    .innerJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'guides')
        .onRef('documents.id', '=', sql`CAST(guides.guideid AS TEXT)`),
    )
    .select(['guides.guideid as id', 'guides.title', 'guides.type', 'guides.public'])
    .where('guides.deleted', '=', 0)
    .where('documents.audience', 'in', audiences);
  const rows =
    wishes.length > 0
      ? await visible.execute()
      : await visible.where('guides.title', 'in', names.titles.slice(0, valuesPerQuery)).execute();
  const tags = await taggedGuides(ctx.db, new Set(wishes.flatMap((wish) => wish.tags)));
  const titles = new Set(names.titles);
  return rows
    .map((row): Linkable => ({
      ...row,
      type: row.type as GuideFacts['type'],
      public: row.public === 1,
      tags: tags.get(row.id) ?? [],
    }))
    .filter((guide) => titles.has(guide.title) || isWanted(guide, wishes));
}

/** The wanted tags (in lower case) of each guide, by guideid. */
async function taggedGuides(db: Db, wanted: ReadonlySet<string>): Promise<Map<number, string[]>> {
  if (wanted.size === 0) return new Map();
  const all = await db.selectFrom('tags').select(['tagid', 'name']).execute();
  const named = all.filter(({ name }) => wanted.has(name.toLowerCase()) && !isReservedTag(name));
  if (named.length === 0) return new Map();
  const rows = await db
    .selectFrom('guide_tags')
    .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
    .select(['guideid', 'name'])
    .where(
      'guide_tags.tagid',
      'in',
      named.slice(0, valuesPerQuery).map(({ tagid }) => tagid),
    )
    .execute();
  const byGuide = Map.groupBy(rows, ({ guideid }) => guideid);
  return new Map([...byGuide].map(([guideid, found]) => [guideid, found.map(({ name }) => name)]));
}

function isWanted(guide: Linkable, wishes: readonly ListCriteria[]): boolean {
  return wishes.some((wish) => isListed(guide, wish));
}

/** The target of a link to the guide. */
export function namedGuide({ id, title, type }: Linkable): NamedGuide {
  return { guideid: id, title, url: guidePath({ guideid: id, title, type }) };
}
