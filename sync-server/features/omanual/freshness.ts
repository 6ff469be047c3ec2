import { sql } from 'kysely';

import { startsWith } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

import type { Mentions } from './mentions.ts';
import type { PlannedArchive } from './plan.ts';
import type { ArchiveRow } from './versions.ts';

/**
 * Identifies the input of a version: the hash of the plan, and the feed's number at that time, for input that the plan
 * does not cover: mentioned guides, templates and lists.
 */
export function madeFrom(
  content: string,
  seq: number,
  shown: Pick<Mentions, 'usesTemplates' | 'usesLists'>,
): string {
  const uses = [...(shown.usesTemplates ? ['templates'] : []), ...(shown.usesLists ? ['lists'] : [])];
  return [content, seq, ...uses].join(' ');
}

/** The archives without a version, or whose current version is outdated. */
export async function outOfDate(
  db: Db,
  plan: readonly PlannedArchive[],
  current: ReadonlyMap<string, ArchiveRow>,
): Promise<PlannedArchive[]> {
  const [guides, templates, lists] = [
    await newestShown(db),
    await newestTemplate(db),
    await newestInLists(db),
  ];
  return plan.filter(({ name, content }) => {
    const version = current.get(name);
    const [made, seq = '0', ...uses] = version?.content.split(' ') ?? [];
    const newest = Math.max(
      guides.get(version?.archiveid ?? 0) ?? 0,
      uses.includes('templates') ? templates : 0,
      uses.includes('lists') ? lists : 0,
    );
    return made !== content || newest > Number(seq);
  });
}

/** The highest seq of a guide that a current version shows or mentions, by archiveid. */
async function newestShown(db: Db): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('archives')
    .innerJoin('archive_guides', 'archive_guides.archiveid', 'archives.archiveid')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', sql`CAST(archive_guides.guideid AS TEXT)`)
        .on('documents.collection', '=', 'guides'),
    )
    .select((eb) => ['archives.archiveid', eb.fn.max('documents.seq').as('newest')])
    .where('current', '=', 1)
    .groupBy('archives.archiveid')
    .execute();
  return new Map(rows.map((row) => [row.archiveid, row.newest]));
}

/** The highest seq of a page that could be a template. */
async function newestTemplate(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('feed')
    .innerJoin('wikis', (join) => join.onRef('feed.id', '=', sql`CAST(wikis.wikiid AS TEXT)`))
    .select((eb) => eb.fn.max('feed.seq').as('newest'))
    .where('feed.collection', '=', 'wikis')
    .where('namespace', '=', 'WIKI')
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/** The highest seq of a record that affects lists of guides. */
async function newestInLists(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.max('seq').as('newest'))
    .where((where) => where.or([where('collection', '=', 'guides'), startsWith(db, 'id', 'guideTags:')]))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/** The highest seq of the feed. */
export async function newestSeq(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('feed')
    .select((eb) => eb.fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}
