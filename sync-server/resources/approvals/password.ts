import { invalid } from '#shared/api/problem.ts';
import { hashToken } from '#server/http/auth.ts';
import { mustUserid, type Context } from '#server/http/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { countAttempt } from '../tokens/attempts.ts';
import { askerOf } from '../tokens/passwords.ts';
import { ageFlaw } from '../tokens/policy.ts';
import { forgetFailures, refuseWhileThrottled } from '../tokens/throttle.ts';

/**
 * Lets `work` run in a transaction once the caller has given their password again. 422 for a wrong one, counted by
 * person and address; 429 after too many. Not 401: the caller's token is good, and clients drop it on 401.
 */
export async function withPassword<T>(
  ctx: Context,
  password: string,
  work: (write: Context) => Promise<T>,
): Promise<T> {
  const subject = hashToken(`sign ${mustUserid(ctx)} ${ctx.address}`);
  return ctx.services.passwords.inTurn(subject, async () => {
    await refuseWhileThrottled(ctx, subject);
    const account = await accountOf(ctx.services.storage.reader, mustUserid(ctx));
    const stored = account?.password_hash ?? null;
    if (!(await ctx.services.passwords.verify(stored, password, askerOf(ctx)))) {
      // Beside the call, whose key stays free: it has no effect.
      const object = { kind: 'user', id: String(mustUserid(ctx)) };
      await countAttempt(ctx, {
        subject,
        action: 'POST /approvals/request/sign/{approval_requestid}',
        object,
      });
      throw wrong();
    }
    const flaw = account === undefined ? undefined : ageFlaw(ctx, account);
    if (flaw !== undefined) throw invalid('password', flaw);
    return ctx.write(async (write) => {
      if ((await accountOf(write.db, mustUserid(write)))?.password_hash !== stored) throw wrong();
      await forgetFailures(write.db, subject);
      return work(write);
    });
  });
}

function wrong() {
  return invalid('password', 'This is not your password');
}

function accountOf(db: Db, userid: number) {
  return db
    .selectFrom('users')
    .select(['password_hash', 'password_date', 'join_date'])
    .where('userid', '=', userid)
    .where('enabled', '=', 1)
    .executeTakeFirst();
}
