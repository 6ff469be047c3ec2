/**
 * Limits on failed sign-ins.
 *
 * - LOAD-13 Failed sign-ins are counted by account and address together (10 in a row, then increasing waits) and by
 *   account alone: 30 from all addresses together, of which one is forgotten every 5 minutes. Devices on which the
 *   person signed in within 90 days (`deviceKey` in the response, `device_key` with the next sign-in), and their
 *   addresses, are exempt from the second limit, so outsiders cannot lock owners out there. An address from which a
 *   person registers, sets a new password through a link, or signs with their password is also exempt: on a new
 *   device, a link lets them in while others are guessing. A new password clears the count of the account alone. All
 *   this is the same whether or not the account exists.
 * - LOAD-14 Failed sign-ins are also counted by address (a /64 of IPv6) alone: 100 for any accounts, of which one is
 *   forgotten every 30 seconds. Known devices are exempt.
 */
import { Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { forgetAfterSeconds, freeTries, waitSeconds } from './policy.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /**
     * Number of attempts being checked, by subject. Together with the failures they determine whether a wait is
     * required.
     */
    triesUnderWay: Map<string, number>;
  }
}

/** A limit for failed attempts. */
export interface TryLimit {
  /** A hash that does not reveal the input. */
  subject: string;
  /** Failures before a wait is required. Default: `freeTries`. */
  free?: number;
  /**
   * For limits shared by many people or places: the number of seconds after which one failure is forgotten, and the
   * longest wait. Without it, all failures are forgotten together, and each further one doubles the wait.
   */
  forgetEachSeconds?: number;
  /** Many people may attempt at the same moment; concurrent checks are limited elsewhere (BUDGET-4). */
  isShared?: true;
}

/** Runs `work` as an attempt under these limits; throws 429 while one of them requires a wait. */
export async function asTry<T>(
  ctx: Context,
  limits: readonly TryLimit[],
  work: () => Promise<T>,
): Promise<T> {
  const { triesUnderWay: tries } = ctx.services;
  const change = (by: number): void => {
    for (const { subject } of limits) {
      const count = (tries.get(subject) ?? 0) + by;
      if (count === 0) tries.delete(subject);
      else tries.set(subject, count);
    }
  };
  const others = limits.map(({ subject, isShared }) => (isShared === true ? 0 : (tries.get(subject) ?? 0)));
  change(1);
  try {
    for (const [index, limit] of limits.entries()) await refuseWhileThrottled(ctx, limit, others[index]);
    return await work();
  } finally {
    change(-1);
  }
}

/** Throws 429 while a wait is required. `others`: number of other attempts being checked. */
export async function refuseWhileThrottled(
  ctx: Context,
  limit: TryLimit | string,
  others = 0,
): Promise<void> {
  const {
    subject,
    free = freeTries,
    forgetEachSeconds,
  } = typeof limit === 'string' ? { subject: limit } : limit;
  const row = await ctx.services.storage.reader
    .selectFrom('login_attempts')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  const now = countedAt(row, ctx.seconds, forgetEachSeconds);
  const failures = now.failures + others;
  if (failures < free) return;
  const wait = forgetEachSeconds ?? waitSeconds(failures - free + freeTries);
  const retryAfterSeconds = now.last_date + wait - ctx.seconds;
  if (retryAfterSeconds > 0)
    throw new Problem(
      'too-many-requests',
      `Too many tries. Wait ${retryAfterSeconds} seconds and try again`,
      { retryAfterSeconds },
    );
}

/** Records a failed attempt. Returns the number of failures that count now. */
export async function countFailure(
  db: Db,
  { subject, forgetEachSeconds }: TryLimit,
  seconds: number,
): Promise<number> {
  const row = await db
    .selectFrom('login_attempts')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  const before = countedAt(row, seconds, forgetEachSeconds);
  const next = {
    failures: before.failures + 1,
    last_date: forgetEachSeconds === undefined ? seconds : before.last_date,
  };
  await db
    .insertInto('login_attempts')
    .values({ subject, ...next })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(next))
    .execute();
  return next.failures;
}

/** The failures that still count, and the time from which the next one is being forgotten. */
function countedAt(
  row: { failures: number; last_date: number } | undefined,
  seconds: number,
  forgetEachSeconds: number | undefined,
): { failures: number; last_date: number } {
  const none = { failures: 0, last_date: seconds };
  if (row === undefined) return none;
  if (forgetEachSeconds === undefined) return row.last_date < seconds - forgetAfterSeconds ? none : row;
  const forgotten = Math.floor((seconds - row.last_date) / forgetEachSeconds);
  if (forgotten >= row.failures) return none;
  return {
    failures: row.failures - forgotten,
    last_date: row.last_date + forgotten * forgetEachSeconds,
  };
}

/** The subject of failures at an account from all places together. `email` in lower case. */
export function accountSubject(email: string): string {
  return hashToken(`account ${email}`);
}

/** Forgets the failed guesses at an account that now has a new password. `email` in lower case. */
export async function forgetAccountFailures(db: Db, email: string): Promise<void> {
  await forgetFailures(db, accountSubject(email));
}

/** Deletes the failures of `subject` after a success. */
export async function forgetFailures(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('login_attempts').where('subject', '=', subject).execute();
}
