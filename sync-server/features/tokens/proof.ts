import { forbidden, invalid, Problem } from '#shared/api/problem.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { redeemSignOn } from '#server/features/sign-on/tokens.ts';

import { withPassword, type PasswordUse } from '../approvals/password.ts';

/** Proof that the caller is the person of the session, and does not just have the session. */
export interface Proof {
  current_password?: string | undefined;
  /** Of a single sign-on that was made for this one call. */
  sign_on_token?: string | undefined;
}

/**
 * Runs `work` in a transaction, and passes whether the caller has proved their identity. 422 for a wrong proof; 429
 * after too many.
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

/** 422 for a change that a session alone cannot make. */
export function mustBeProved(isProved: boolean, words = 'Enter your current password to change this'): void {
  if (!isProved) throw invalid('current_password', words);
}

/** Uses up a single sign-on. 422 for an invalid one: the caller's own token is valid, and clients drop it on 401. */
export async function spendSignOn(ctx: Context, token: string, field: string): Promise<void> {
  try {
    await redeemSignOn(ctx.db, token, mustUserid(ctx), ctx.seconds);
  } catch (error) {
    throw error instanceof Problem ? invalid(field, error.message) : error;
  }
}

/** 403 for an administrator who acts as another person; `what` says what they cannot do. */
export function mustActAsOneself({ viewer }: Pick<Context, 'viewer'>, what: string): void {
  if (viewer.impersonator !== undefined) throw forbidden(`While acting as another person, you ${what}`);
}
