import { forbidden } from '#shared/api/problem.ts';
import { isNamed } from '#shared/rules/approvals.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { mustSeeRequest, type SignedRequest } from './requests.ts';

/** 403 for those who take no part in approvals: a kiosk, before which anybody stands. */
export function mustSeeProcesses(ctx: Context): void {
  if (!can(ctx.viewer, 'approvalProcess.see', null))
    throw forbidden('This account takes no part in approvals');
}

/** The request; 404 when the caller does not see it, 403 when no stage names them or they act as somebody else. */
export async function mustBeSigner(ctx: Context, approval_requestid: number): Promise<SignedRequest> {
  const request = await mustSeeRequest(ctx, approval_requestid);
  const named = request.soFar.stages.some((stage) => isNamed(stage, ctx.viewer));
  if (can(ctx.viewer, 'approvalRequest.sign', { isNamed: named })) return request;
  if (ctx.viewer.impersonator !== undefined) throw forbidden('Nobody signs as somebody else');
  throw forbidden('No stage of this request names you');
}
