import type { Context } from '#server/core/context.ts';

import { endWithGuide } from '../approvals/gate.ts';
import { guideRemoved } from '../merits/reputation-events.ts';
import { republishGuideAudience } from './audience.ts';

/**
 * Deletes a guide and its dependent records. Its revisions stay.
 *
 * - GUIDE-REVISION-9 A deleted guide disappears everywhere.
 */
export async function deleteGuide(ctx: Context, guideid: number): Promise<void> {
  await ctx.db
    .updateTable('guides')
    .set({ deleted: 1, modified_date: ctx.seconds })
    .where('guideid', '=', guideid)
    .execute();
  await ctx.db.updateTable('steps').set({ deleted: 1 }).where('guideid', '=', guideid).execute();
  await ctx.db.deleteFrom('guide_prerequisites').where('guideid', '=', guideid).execute();
  ctx.changes.remove('guides', guideid);
  await endWithGuide(ctx, guideid);
  await republishGuideAudience(ctx, guideid, null);
  await guideRemoved(ctx, guideid);
}
