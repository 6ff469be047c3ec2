import { Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

/** A token signs within this time, seconds. */
export const signOnTokenSeconds = 5 * 60;

/** Issues the token for one signature of a person; only its hash is stored. `authenticatedDate`: UNIX seconds. */
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
 * Uses up the token of a single sign-on, in the transaction of the signature that it is for. Throws 401 for a token
 * that is none, was used, is too old or is another person's; then nobody's token is used up. `seconds`: now.
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
