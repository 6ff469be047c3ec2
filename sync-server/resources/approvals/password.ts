import { invalid } from '#shared/api/problem.ts';
import { hashToken } from '#server/http/auth.ts';
import { mustUserid, type Context } from '#server/http/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { countAttempt } from '../tokens/attempts.ts';
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
    const stored = await passwordOf(ctx.services.storage.reader, mustUserid(ctx));
    if (!(await ctx.services.passwords.verify(stored, password))) {
      // Beside the call, whose key stays free: it has no effect.
      const object = { kind: 'user', id: String(mustUserid(ctx)) };
      await countAttempt(ctx, {
        subject,
        action: 'POST /approvals/request/sign/{approval_requestid}',
        object,
      });
      throw wrong();
    }
    return ctx.write(async (write) => {
      if ((await passwordOf(write.db, mustUserid(write))) !== stored) throw wrong();
      await forgetFailures(write.db, subject);
      return work(write);
    });
  });
}

function wrong() {
  return invalid('password', 'This is not your password');
}

async function passwordOf(db: Db, userid: number): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('userid', '=', userid)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  return row?.password_hash ?? null;
}
