import { Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

/** Lifetime of a token, seconds. */
export const signOnTokenSeconds = 5 * 60;

/**
 * Issues the token for one signature of a person. `authenticatedDate`: UNIX seconds.
 *
 * - SIGN-ON-3 A confirmed request yields one token, which is returned once and stored as a hash. It signs once, for its
 *   person, within five minutes. A failed signature does not use it up.
 */
export async function issueSignOn(
  ctx: Context,
  userid: number,
  authenticatedDate: number,
): Promise<{ token: string; expires_date: number }> {
  const token = `bbs_${Buffer.from(ctx.services.randomBytes(32)).toString('base64url')}`;
  const expires_date = ctx.seconds + signOnTokenSeconds;
  await ctx.db
    .insertInto('sign_on_tokens')
    .values({ token_hash: hashToken(token), userid, authenticated_date: authenticatedDate, expires_date })
    .execute();
  return { token, expires_date };
}

/**
 * Uses up the token of a single sign-on, in the transaction of the signature. Throws 401 for a token that is invalid,
 * used, too old or another person's, and leaves it unchanged. `seconds`: now.
 */
export async function redeemSignOn(tx: Db, token: string, userid: number, seconds: number): Promise<void> {
  const used = await tx
    .deleteFrom('sign_on_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('userid', '=', userid)
    .where('expires_date', '>=', seconds)
    .returning('token_hash')
    .executeTakeFirst();
  if (used === undefined)
    throw new Problem('unauthorized', 'This sign-on was used already, or is too old. Sign on again');
}
