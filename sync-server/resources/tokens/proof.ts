import { forbidden, invalid, Problem } from '#shared/api/problem.ts';
import { mustUserid, type Context } from '#server/http/context.ts';
import { redeemSignOn } from '#server/signon/tokens.ts';

import { withPassword, type PasswordUse } from '../approvals/password.ts';

/** What proves that whoever calls is the person of the session, and not somebody who has the session alone. */
export interface Proof {
  current_password?: string | undefined;
  /** Of a single sign-on that was made for this one call. */
  sign_on_token?: string | undefined;
}

/**
 * Runs `work` in a transaction, and tells it whether the caller has proved to be themselves. 422 for a proof that is
 * wrong; 429 after too many.
 */
export function withProof<T>(
  ctx: Context,
  { current_password, sign_on_token }: Proof,
  use: Omit<PasswordUse, 'field'>,
  work: (write: Context, isProved: boolean) => Promise<T>,
): Promise<T> {
  if (current_password !== undefined)
    return withPassword(ctx, current_password, (write) => work(write, true), {
      ...use,
      field: 'current_password',
    });
  return ctx.write(async (write) => {
    if (sign_on_token !== undefined) await spendSignOn(write, sign_on_token, 'sign_on_token');
    return work(write, sign_on_token !== undefined);
  });
}

/** 422 for a change that a session alone does not make. */
export function mustBeProved(isProved: boolean, words = 'Enter your current password to change this'): void {
  if (!isProved) throw invalid('current_password', words);
}

/** Uses a single sign-on up. 422 for one that is no good: the caller's own token is, and clients drop it on 401. */
export async function spendSignOn(ctx: Context, token: string, field: string): Promise<void> {
  try {
    await redeemSignOn(ctx.db, token, mustUserid(ctx), ctx.seconds);
  } catch (error) {
    throw error instanceof Problem ? invalid(field, error.message) : error;
  }
}

/** 403 for whoever acts as somebody else. `what` they do not do then. */
export function mustActAsOneself({ viewer }: Pick<Context, 'viewer'>, what: string): void {
  if (viewer.impersonator !== undefined) throw forbidden(`While acting as another person, you ${what}`);
}
