import type { GuideFacts } from '#shared/model/guide.ts';
import { guideAudience } from '#server/access/audience.ts';
import type { Context } from '#server/http/context.ts';
import { findDocument, findDocuments } from '#server/storage/feed.ts';

import { republishEntries } from '../work-log/store.ts';

/**
 * Gives what hangs on a guide (forms, comments, offered work log entries, tags) the audience that the guide has now; null: the guide is gone.
 */
export async function republishGuideAudience(
  ctx: Context,
  guideid: number,
  facts: GuideFacts | null,
): Promise<void> {
  const audience = facts === null ? null : guideAudience(facts);
  const forms = await ctx.db
    .selectFrom('step_forms')
    .select('stepid')
    .where('guideid', '=', guideid)
    .execute();
  const comments = await ctx.db
    .selectFrom('comments')
    .select('commentid')
    .where('guideid', '=', guideid)
    .where('status', '!=', 'deleted')
    .execute();
  for (const { stepid } of forms) {
    const form = (await findDocuments(ctx.db, 'stepForms', [stepid]))[0];
    if (audience === null || form === undefined) ctx.changes.remove('stepForms', stepid);
    else ctx.changes.put('stepForms', stepid, form, audience);
  }
  for (const { commentid } of comments) {
    const comment = await findDocument(ctx.db, 'comments', commentid);
    if (audience === null || comment === undefined) ctx.changes.remove('comments', commentid);
    else ctx.changes.put('comments', commentid, comment, audience);
  }
  await republishEntries(ctx, guideid, facts);
  const tags = await findDocument(ctx.db, 'viewer', `guideTags:${guideid}`);
  if (tags !== undefined && audience !== null)
    ctx.changes.put('viewer', `guideTags:${guideid}`, tags, audience);
  if (audience === null) ctx.changes.remove('viewer', `guideTags:${guideid}`);
}
