import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import { slug } from '#shared/formats/omanual/names.ts';
import type { Services } from '#server/core/services.ts';
import type { Db } from '#server/storage/tables.ts';

import { subtreeOf } from './selection.ts';

/** An archive that the collection shall hold. */
export interface PlannedArchive {
  name: string;
  title: string;
  /** null: the whole site. */
  category: string | null;
  /** How many guides. */
  guides: number;
  /** Hash of what it is made from: another one, and it is made anew. */
  content: string;
}

/** Name of the archive of the whole site. */
export const siteArchive = 'site';
/** Changed when archives of the same content come out different. */
const formatVersion = 1;

interface PlannedGuide {
  guideid: number;
  category: string;
  /** Everything of the guide that an archive says. */
  mark: string;
}

/**
 * What the collection of a site holds: the whole site, and each category with public guides in it or below it. Costs a
 * row of each public guide and category, not their documents.
 */
export async function plannedArchives(db: Db, services: Services, base: string): Promise<PlannedArchive[]> {
  const guides = await publicGuides(db);
  const categories = await categoriesOf(db);
  const inCategory = Map.groupBy(guides, (guide) => guide.category);
  const { title, langid } = services.site;
  const common = [formatVersion, base, langid];
  const plan = (
    name: string,
    shown: string,
    category: string | null,
    inside: typeof categories,
    some: readonly PlannedGuide[],
  ): PlannedArchive => {
    const sorted = some.toSorted((a, b) => a.guideid - b.guideid).map((guide) => guide.mark);
    const marks = [...common, name, shown, inside.map((one) => [one.wikiid, one.seq]), sorted];
    const content = createHash('sha256').update(JSON.stringify(marks)).digest('hex');
    return { name, title: shown, category, guides: some.length, content };
  };
  const site = plan(siteArchive, title, null, categories, guides);
  const others = categories.flatMap((root) => {
    const inside = subtreeOf(categories, root);
    const some = inside.flatMap((one) => inCategory.get(one.title) ?? []);
    return some.length === 0 ? [] : [plan(nameOf(root), root.title, root.title, inside, some)];
  });
  return guides.length === 0 ? [] : [site, ...others];
}

/** Names a category's archive: readable, and no other category's. */
function nameOf({ title, wikiid }: { title: string; wikiid: number }): string {
  return `${slug(title)}-${wikiid}`;
}

async function publicGuides(db: Db): Promise<PlannedGuide[]> {
  const rows = await db
    .selectFrom('guides')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', sql`CAST(guides.guideid AS TEXT)`)
        .on('documents.collection', '=', 'guides'),
    )
    .leftJoin('documents as tags', (join) =>
      join.onRef('tags.id', '=', sql`'guideTags:' || guides.guideid`).on('tags.collection', '=', 'viewer'),
    )
    .leftJoin('users', 'users.userid', 'guides.userid')
    .select(['guideid', 'category', 'documents.seq', 'tags.seq as tagged', 'username'])
    .where('public', '=', 1)
    .where('deleted', '=', 0)
    .execute();
  return rows.map(({ guideid, category, seq, tagged, username }) => ({
    guideid,
    category,
    mark: [guideid, seq, tagged, username].join(' '),
  }));
}

async function categoriesOf(
  db: Db,
): Promise<{ wikiid: number; title: string; parent: string | null; seq: number }[]> {
  return db
    .selectFrom('wikis')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', sql`CAST(wikis.wikiid AS TEXT)`)
        .on('documents.collection', '=', 'wikis'),
    )
    .select(['wikiid', 'title', 'parent', 'seq'])
    .where('namespace', '=', 'CATEGORY')
    .where('deleted', '=', 0)
    .where('source_revisionid', 'is', null)
    .orderBy('wikiid')
    .execute();
}
