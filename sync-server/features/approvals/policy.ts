import { forbidden } from '#shared/api/problem.ts';
import { isNamed } from '#shared/rules/approvals.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { mustSeeRequest, type SignedRequest } from './requests.ts';

/** Throws 403 for accounts that take no part in approvals, such as kiosks. */
export function mustSeeProcesses(ctx: Context): void {
  if (!can(ctx.viewer, 'approvalProcess.see', null))
    throw forbidden('This account takes no part in approvals');
}

/** The request. Throws 404 if the caller may not see it, 403 if no stage names them or they act as another person. */
export async function mustBeSigner(ctx: Context, approval_requestid: number): Promise<SignedRequest> {
  const request = await mustSeeRequest(ctx, approval_requestid);
  const named = request.soFar.stages.some((stage) => isNamed(stage, ctx.viewer));
  if (can(ctx.viewer, 'approvalRequest.sign', { isNamed: named })) return request;
  if (ctx.viewer.impersonator !== undefined)
    throw forbidden('You cannot sign while you act as another person');
  throw forbidden('No stage of this request names you');
}
