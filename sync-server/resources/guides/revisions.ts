import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/access/can.ts';
import type { Context } from '#server/http/context.ts';

import { withApproval } from '../approvals/facts.ts';

/**
 * A version of the past, named by the guide's revisionid: its newest state under that number. 404 when unknown, and for
 * a version from the time when the guide was private, unless the viewer could have seen it then.
 */
export async function readRevision(ctx: Context, guideid: number, revisionid: number): Promise<GuideFacts> {
  const row = await ctx.db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where('revisionid', '=', revisionid)
    .orderBy('guide_revisionid', 'desc')
    .limit(1)
    .executeTakeFirst();
  const facts =
    row === undefined ? undefined : await withApproval(ctx.db, JSON.parse(row.body) as GuideFacts, false);
  if (facts === undefined || !can(ctx.viewer, 'guide.see', facts)) throw notFound('Revision');
  return facts;
}
