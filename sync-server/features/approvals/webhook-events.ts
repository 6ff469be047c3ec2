import type { ApprovalSignature } from '#shared/model/approval.ts';
import type { WebhookData } from '#shared/model/webhook.ts';
import type { Context } from '#server/core/context.ts';
import { announceEvent } from '#server/features/webhooks/announce.ts';

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

/**
 * Queues a webhook event about a request, inside the transaction of the change.
 *
 * - APPROVAL-13 Webhooks receive an event when approval is requested, signed, rejected, voided and completed.
 */
export async function announceRequest(
  ctx: Context,
  event: 'approval.requested' | 'approval.rejected' | 'approval.voided' | 'approval.completed',
  approval_requestid: number,
): Promise<void> {
  const data = await dataOf(ctx, approval_requestid);
  await announceEvent(ctx, { event, data }, `guides/${data.guideid}`);
}

/** Queues a webhook event about a signature. */
export async function announceSignature(
  ctx: Context,
  approval_requestid: number,
  { approval_stageid, userid, name, meaning, date }: ApprovalSignature,
): Promise<void> {
  const signature = { approval_stageid, userid, name, meaning, date };
  const data = { ...(await dataOf(ctx, approval_requestid)), signature };
  await announceEvent(ctx, { event: 'approval.signed', data }, `guides/${data.guideid}`);
}
