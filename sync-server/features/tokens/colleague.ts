import { invalid } from '#shared/api/problem.ts';
import { administers } from '#server/core/roles.ts';
import { hashToken } from '#server/core/sessions.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { membershipsOf } from '#server/core/viewer.ts';
import type { Db } from '#server/storage/tables.ts';

import { givenFlaw } from '../approvals/password.ts';
import { countAttempt } from './attempts.ts';
import { rememberAddress, standingOf } from './known-devices.ts';
import { askerOf } from './passwords.ts';
import { ageFlaw, proofLimit } from './policy.ts';
import { limitsOf } from './store.ts';
import { asTry, forgetFailures } from './throttle.ts';

/** A person who proved their identity in the session of another. */
export interface Colleague {
  userid: number;
  username: string;
  isAdmin: boolean;
  isKiosk: boolean;
  teams: number[];
  leads: number[];
}

/** Whose password the caller sends, and the call, as the audit log names it. */
interface ColleagueProof {
  userid: number;
  password: string;
  action: string;
}

/**
 * Runs `work` in a transaction after a colleague of the caller has entered their password.
 *
 * - COSIGN-6 The password of a colleague is checked as in a sign-in, and wrong ones are counted with failed sign-ins of that
 *   account (LOAD-13, LOAD-14) and with wrong passwords in the session of the caller (USER-19). A wrong password, an unknown
 *   and a closed account get the same answer, 422, because the token of the caller is still valid. A password that
 *   another person set, or that is too old, is not accepted (USER-15, USER-9). It is neither stored nor logged, and no hash
 *   of it is stored with the idempotency key.
 */
export async function withColleague<T>(
  ctx: Context,
  { userid, password, action }: ColleagueProof,
  work: (write: Context, colleague: Colleague) => Promise<T>,
): Promise<T> {
  const { reader } = ctx.services.storage;
  const known = await accountOf(reader, userid);
  const email = known?.email ?? `user ${userid}`;
  const place = { key: null, address: ctx.address };
  const standing = await standingOf(reader, known?.userid, place, ctx.seconds);
  const ofAccount = limitsOf(email, place, standing);
  const [{ subject }] = ofAccount;
  const limits = [...ofAccount, { subject: hashToken(`proofs of ${mustUserid(ctx)}`), ...proofLimit }];
  const attempt = async (): Promise<T> => {
    const account = await accountOf(reader, userid);
    const stored = account?.password_hash ?? null;
    const matches = await ctx.services.passwords.verify(stored, password, askerOf(ctx));
    if (!matches || account === undefined) {
      // Counted outside of the call's transaction: the call has no effect, so its idempotency key stays unused.
      const object = { kind: 'user', id: String(userid) };
      await countAttempt(ctx, { limits, action, object, endsSession: true });
      throw wrong();
    }
    const flaw = givenFlaw(account) ?? ageFlaw(ctx, account);
    if (flaw !== undefined) throw invalid('password', flaw);
    return ctx.write(async (write) => {
      const present = await accountOf(write.db, userid);
      if (present?.password_hash !== stored) throw wrong();
      await forgetFailures(write.db, subject);
      await rememberAddress(write, userid, write.address);
      const privileges = JSON.parse(present.privileges) as string[];
      return work(write, {
        userid,
        username: present.username,
        isAdmin: administers(privileges),
        isKiosk: privileges.includes('Kiosk'),
        ...(await membershipsOf(write.db, userid)),
      });
    });
  };
  return ctx.services.passwords.inTurn(subject, () => asTry(ctx, limits, attempt));
}

function wrong() {
  return invalid('password', 'This is not the password of that person');
}

function accountOf(db: Db, userid: number) {
  return db
    .selectFrom('users')
    .select([
      'userid',
      'username',
      'email',
      'privileges',
      'password_hash',
      'password_date',
      'join_date',
      'password_is_own',
    ])
    .where('userid', '=', userid)
    .where('enabled', '=', 1)
    .executeTakeFirst();
}
