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

/** A purpose for which the caller must repeat their password. */
export interface PasswordUse {
  /** The field of the body that contains the password. */
  field: 'password' | 'current_password';
  /** The call, as the audit log names it. */
  action: string;
  /** Why a correct password is not accepted for this purpose; undefined if it is. */
  flaw: (ctx: Context, account: PasswordFacts) => string | undefined;
}

/** Stored facts about a password besides its hash. */
interface PasswordFacts {
  password_date: number | null;
  join_date: number;
  password_is_own: number;
}

/** Whether the owner of the account chose the password. */
export type GivenFacts = Pick<PasswordFacts, 'password_is_own'>;

const signing: PasswordUse = {
  field: 'password',
  action: 'POST /approvals/request/sign/{approval_requestid}',
  flaw: (ctx, account) => givenFlaw(account) ?? ageFlaw(ctx, account),
};

/**
 * The message for a password that another person set and may know; undefined if the owner chose it.
 *
 * - USER-15 A password set by another person (an administrator, the command line, or the person who registered the
 *   account) can neither sign nor serve as a proof, except to choose a new password. `GET /user` returns
 *   `must_set_password` until the owner has chosen one, with that password or through a link.
 */
export function givenFlaw({ password_is_own }: GivenFacts): string | undefined {
  return password_is_own === 1
    ? undefined
    : 'Another person set this password. Choose your own under Settings first';
}

/**
 * Runs `work` in a transaction after the caller has repeated their password. Wrong passwords for all purposes are
 * counted together, by person and address, and also by person alone (USER-19).
 *
 * - APPROVAL-7 A signature requires the password again, or a single sign-on made for this signature. A wrong one is 422
 *   (the token of the caller is still valid, and clients drop it on 401), and is counted by person and address like a
 *   failed sign-in: 429 after ten. A password set by another person is not accepted (USER-15), and a session alone
 *   cannot set a new one (USER-13). No hash of a password is stored with the idempotency key.
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
      // Counted outside of the call's transaction: the call has no effect, so its idempotency key stays unused.
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
