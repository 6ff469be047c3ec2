import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Context } from '#server/http/context.ts';

/** A version of the past, named by the guide's revisionid: its newest state under that number. 404 when unknown. */
export async function readRevision(ctx: Context, guideid: number, revisionid: number): Promise<GuideFacts> {
  const row = await ctx.db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where('revisionid', '=', revisionid)
    .orderBy('guide_revisionid', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Revision');
  return JSON.parse(row.body) as GuideFacts;
}
