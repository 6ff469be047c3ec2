import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { withApproval } from '../approvals/facts.ts';

/** Which version of a guide: by its own number, by the guide's revisionid (its newest state under that), or both. */
export interface VersionName {
  revisionid?: number | undefined;
  guide_revisionid?: number | undefined;
}

/**
 * A version of the past. 404 when unknown, and for a version from the time when the guide was private, unless the viewer
 * could have seen it then.
 */
export async function readRevision(
  ctx: Context,
  guideid: number,
  { revisionid, guide_revisionid }: VersionName,
): Promise<GuideFacts> {
  let select = ctx.db.selectFrom('guide_revisions').select('body').where('guideid', '=', guideid);
  if (revisionid !== undefined) select = select.where('revisionid', '=', revisionid);
  if (guide_revisionid !== undefined) select = select.where('guide_revisionid', '=', guide_revisionid);
  const row = await select.orderBy('guide_revisionid', 'desc').limit(1).executeTakeFirst();
  const facts =
    row === undefined ? undefined : await withApproval(ctx.db, JSON.parse(row.body) as GuideFacts, false);
  if (facts === undefined || !can(ctx.viewer, 'guide.see', facts)) throw notFound('Revision');
  return facts;
}
