import { sql, type Kysely } from 'kysely';
import { z } from 'zod';

import type { Tables } from '../tables.ts';

const named = z.object({ title: z.string() });

/** Former names of wikis, by which pages are still found. Filled from their versions. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE wiki_names (
        namespace TEXT NOT NULL, title TEXT NOT NULL, wikiid INTEGER NOT NULL, PRIMARY KEY (namespace, title))`,
    )
    .execute(db);
  const versions = await db
    .selectFrom('wiki_revisions')
    .innerJoin('wikis', 'wikis.wikiid', 'wiki_revisions.wikiid')
    .select(['wikis.wikiid', 'wikis.namespace', 'wikis.title', 'wiki_revisions.body'])
    .where('wikis.deleted', '=', 0)
    .where('wikis.source_revisionid', 'is', null)
    .orderBy('wiki_revisions.revisionid')
    .execute();
  for (const { wikiid, namespace, title, body } of versions) {
    const { title: old } = named.parse(JSON.parse(body));
    if (old === title) continue;
    await db
      .insertInto('wiki_names')
      .values({ namespace, title: old, wikiid })
      .onConflict((conflict) => conflict.columns(['namespace', 'title']).doUpdateSet({ wikiid }))
      .execute();
  }
}
