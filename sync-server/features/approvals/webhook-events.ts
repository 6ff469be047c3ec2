import type { ApprovalSignature } from '#shared/model/approval.ts';
import type { WebhookData } from '#shared/model/webhook.ts';
import type { Context } from '#server/core/context.ts';
import { announceHappening } from '#server/features/webhooks/announce.ts';

type RequestData = WebhookData<'approval.requested'>;

async function dataOf(ctx: Context, approval_requestid: number): Promise<RequestData> {
  const row = await ctx.db
    .selectFrom('approval_requests')
    .innerJoin('guides', 'guides.guideid', 'approval_requests.guideid')
    .select([
      'approval_requestid',
      'approval_processid',
      'approval_requests.guideid',
      'title',
      'purpose',
      'approval_requests.revisionid',
      'approval_requests.guide_revisionid',
      'revision_hash',
      'approval_requests.userid',
      'status',
      'reason',
    ])
    .where('approval_requestid', '=', approval_requestid)
    .executeTakeFirstOrThrow();
  return row;
}

/** Tells webhooks what became of a request, inside the transaction in which it happened. */
export async function tellOfRequest(
  ctx: Context,
  event: 'approval.requested' | 'approval.rejected' | 'approval.voided' | 'approval.completed',
  approval_requestid: number,
): Promise<void> {
  const data = await dataOf(ctx, approval_requestid);
  await announceHappening(ctx, { event, data }, `guides/${data.guideid}`);
}

/** Tells webhooks of a signature. */
export async function tellOfSignature(
  ctx: Context,
  approval_requestid: number,
  { approval_stageid, userid, name, meaning, date }: ApprovalSignature,
): Promise<void> {
  const signature = { approval_stageid, userid, name, meaning, date };
  const data = { ...(await dataOf(ctx, approval_requestid)), signature };
  await announceHappening(ctx, { event: 'approval.signed', data }, `guides/${data.guideid}`);
}
