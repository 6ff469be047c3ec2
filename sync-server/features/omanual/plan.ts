import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import { slug } from '#shared/formats/omanual/names.ts';
import type { Services } from '#server/core/services.ts';
import type { Db } from '#server/storage/tables.ts';

import { subtreeOf } from './selection.ts';

/** An archive that the collection should have. */
export interface PlannedArchive {
  name: string;
  title: string;
  /** Title of the category; null for the whole site. */
  category: string | null;
  /** Number of guides. */
  guides: number;
  /** Hash of its input. If it changes, the archive is made again. */
  content: string;
}

/** Name of the archive of the whole site. */
export const siteArchive = 'site';
/** To be changed when the same input results in another archive. */
const formatVersion = 1;

interface PlannedGuide {
  guideid: number;
  category: string;
  /** Identifies everything of the guide that an archive contains. */
  mark: string;
}

/**
 * The archives of a site's collection: the whole site, and each category with public guides in it or below it. Reads a
 * row of each public guide and category, but no documents.
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

/** A readable and unique name for the archive of a category. */
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
