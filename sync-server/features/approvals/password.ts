import { invalid } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { countAttempt } from '../tokens/attempts.ts';
import { rememberAddress } from '../tokens/known-devices.ts';
import { askerOf } from '../tokens/passwords.ts';
import { ageFlaw, proofLimit } from '../tokens/policy.ts';
import { asTry, forgetFailures } from '../tokens/throttle.ts';

/** What a password is given for. */
export interface PasswordUse {
  /** The field of the body that holds it. */
  field: 'password' | 'current_password';
  /** The call, as the audit log names it. */
  action: string;
  /** What is wrong with a password that is right, for this use; undefined: nothing. */
  flaw: (ctx: Context, account: PasswordFacts) => string | undefined;
}

/** What is known of a password beside its hash. */
interface PasswordFacts {
  password_date: number | null;
  join_date: number;
  password_is_own: number;
}

/** Whether the owner of a password chose it. */
export type GivenFacts = Pick<PasswordFacts, 'password_is_own'>;

const signing: PasswordUse = {
  field: 'password',
  action: 'POST /approvals/request/sign/{approval_requestid}',
  flaw: (ctx, account) => givenFlaw(account) ?? ageFlaw(ctx, account),
};

/** The message for a password that another person set, and may know (USER-15). */
export function givenFlaw({ password_is_own }: GivenFacts): string | undefined {
  return password_is_own === 1
    ? undefined
    : 'Another person set this password. Choose your own under Settings first';
}

/**
 * Lets `work` run in a transaction once the caller has given their password again. 422 for a wrong one, counted by
 * person and address, for all uses together; 429 after too many. Not 401: the caller's token is good, and clients drop
 * it on 401. Counted by person alone too: at the thirtieth from everywhere the session that guesses ends (USER-19).
 */
export async function withPassword<T>(
  ctx: Context,
  password: string,
  work: (write: Context) => Promise<T>,
  { field, action, flaw }: PasswordUse = signing,
): Promise<T> {
  const subject = hashToken(`sign ${mustUserid(ctx)} ${addressBlock(ctx.address)}`);
  const limits = [{ subject }, { subject: hashToken(`proofs of ${mustUserid(ctx)}`), ...proofLimit }];
  const attempt = async (): Promise<T> => {
    const account = await accountOf(ctx.services.storage.reader, mustUserid(ctx));
    const stored = account?.password_hash ?? null;
    if (!(await ctx.services.passwords.verify(stored, password, askerOf(ctx)))) {
      // Beside the call, whose key stays free: it has no effect.
      const object = { kind: 'user', id: String(mustUserid(ctx)) };
      await countAttempt(ctx, { limits, action, object, endsSession: true });
      throw wrong(field);
    }
    const found = account === undefined ? undefined : flaw(ctx, account);
    if (found !== undefined) throw invalid(field, found);
    return ctx.write(async (write) => {
      if ((await accountOf(write.db, mustUserid(write)))?.password_hash !== stored) throw wrong(field);
      await forgetFailures(write.db, subject);
      await rememberAddress(write, mustUserid(write), write.address);
      return work(write);
    });
  };
  return ctx.services.passwords.inTurn(subject, () => asTry(ctx, limits, attempt));
}

function wrong(field: PasswordUse['field']) {
  return invalid(field, 'This is not your password');
}

function accountOf(db: Db, userid: number) {
  return db
    .selectFrom('users')
    .select(['password_hash', 'password_date', 'join_date', 'password_is_own'])
    .where('userid', '=', userid)
    .where('enabled', '=', 1)
    .executeTakeFirst();
}
