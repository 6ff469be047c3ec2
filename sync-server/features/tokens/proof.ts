import { forbidden, invalid, Problem } from '#shared/api/problem.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { redeemSignOn } from '#server/features/sign-on/tokens.ts';

import { withPassword, type PasswordUse } from '../approvals/password.ts';

/** Proof that the caller is the person of the session and not just in possession of it. */
export interface Proof {
  current_password?: string | undefined;
  /** The token of a single sign-on made for this call. */
  sign_on_token?: string | undefined;
}

/**
 * Runs `work` in a transaction, and passes whether the caller has proved their identity. Throws 422 for a wrong proof,
 * 429 after too many.
 *
 * - USER-13 A session alone cannot change how anyone signs in. Changing a person's `password`, `email` or `sso_userid`,
 *   making a person an administrator, and changing `address`, `smtp` or `sign_on` of the site require a proof of the
 *   caller's identity: `current_password`, or the `sign_on_token` of a single sign-on made for this call
 *   (`POST /sign_on`). A missing or wrong proof is 422 for `current_password`; wrong ones are counted together with
 *   attempts to sign, and after ten the answer is 429. Values that stay the same need no proof. An administrator who
 *   acts as another person gets 403.
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

/** Throws 422 for a change that requires a proof, if there is none. */
export function mustBeProved(isProved: boolean, words = 'Enter your current password to change this'): void {
  if (!isProved) throw invalid('current_password', words);
}

/**
 * Uses up a single sign-on. Throws 422, not 401, for an invalid one: clients drop their own, valid token on 401.
 *
 * - LIVE-9 On a site without single sign-on the refusal says so.
 */
export async function spendSignOn(ctx: Context, token: string, field: string): Promise<void> {
  try {
    await redeemSignOn(ctx.db, token, mustUserid(ctx), ctx.seconds);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw invalid(
      field,
      ctx.services.site.sign_on === null
        ? 'No identity provider is set up on this site; sign with the password'
        : error.message,
    );
  }
}

/** Throws 403 for an administrator who acts as another person; `what` completes the message. */
export function mustActAsOneself({ viewer }: Pick<Context, 'viewer'>, what: string): void {
  if (viewer.impersonator !== undefined) throw forbidden(`While acting as another person, you ${what}`);
}
