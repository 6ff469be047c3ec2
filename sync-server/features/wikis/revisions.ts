import { notFound } from '#shared/api/problem.ts';
import type { WikiRevision } from '#shared/model/wiki-record.ts';
import { wikiVersion, type WikiFacts, type WikiVersion } from '#shared/model/wiki.ts';
import { authorRecord } from '#shared/rules/people.ts';
import type { Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';

import { findPeople } from '../users/store.ts';

/** A version of any wiki, with the title that it had. */
export async function findVersion(db: Db, revisionid: number): Promise<WikiVersion | undefined> {
  const row = await db
    .selectFrom('wiki_revisions')
    .select('body')
    .where('revisionid', '=', revisionid)
    .executeTakeFirst();
  return row === undefined ? undefined : wikiVersion.parse(JSON.parse(row.body));
}

/** The authors of the versions of a wiki that wait for patrol, ordered by userid. */
export async function waitingAuthors(db: Db, facts: WikiFacts): Promise<number[]> {
  if (facts.unpatrolled === undefined) return [];
  const rows = await db
    .selectFrom('wiki_revisions')
    .select('userid')
    .distinct()
    .where('wikiid', '=', facts.wikiid)
    .where('revisionid', '>', facts.revisionid)
    .orderBy('userid')
    .execute();
  return rows.map((row) => row.userid);
}

/** An earlier version of this wiki, with its current title; throws 404 if it does not exist. */
export async function readVersion(ctx: Context, facts: WikiFacts, revisionid: number): Promise<WikiVersion> {
  const version = await findVersion(ctx.db, revisionid);
  if (version?.wikiid !== facts.wikiid) throw notFound('Revision');
  return { ...version, title: facts.title };
}

/** The history of a wiki. */
export async function listRevisions(
  ctx: Context,
  facts: WikiFacts,
  query: { order: 'ASC' | 'DESC'; offset: number; limit: number },
): Promise<WikiRevision[]> {
  const select = ctx.db
    .selectFrom('wiki_revisions')
    .selectAll()
    .where('wikiid', '=', facts.wikiid)
    .orderBy('revisionid', query.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, select, query);
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  return rows.map(({ body, revisionid, wikiid, userid, date, patrolled }) => {
    const version = wikiVersion.parse(JSON.parse(body));
    const person = people.get(userid);
    return {
      revisionid,
      wikiid,
      langid: version.langid,
      date,
      author: person === undefined ? null : authorRecord(person, ctx.baseUrl),
      patrolled: patrolled === 1,
      current: revisionid === facts.revisionid,
      title: version.title,
      display_title: version.display_title,
      source_revisionid: version.source_revisionid,
    };
  });
}
