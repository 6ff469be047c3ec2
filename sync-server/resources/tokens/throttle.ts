import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/http/context.ts';
import type { Db } from '#server/storage/tables.ts';

import { forgetAfterSeconds, waitSeconds } from './policy.ts';

/** 429 while whoever tries as `subject` has to wait after failures. */
export async function refuseWhileThrottled(ctx: Context, subject: string): Promise<void> {
  const row = await ctx.services.storage.reader
    .selectFrom('login_attempts')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (row === undefined || row.last_date < ctx.seconds - forgetAfterSeconds) return;
  const retryAfterSeconds = row.last_date + waitSeconds(row.failures) - ctx.seconds;
  if (retryAfterSeconds > 0) {
    throw new Problem(
      'too-many-requests',
      `Too many tries. Wait ${retryAfterSeconds} seconds and try again`,
      { retryAfterSeconds },
    );
  }
}

/** Keeps that a try of `subject` failed. Returns how many did in a row. */
export async function countFailure(db: Db, subject: string, seconds: number): Promise<number> {
  const row = await db
    .selectFrom('login_attempts')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  const recent = row !== undefined && row.last_date >= seconds - forgetAfterSeconds;
  const next = { failures: recent ? row.failures + 1 : 1, last_date: seconds };
  await db
    .insertInto('login_attempts')
    .values({ subject, ...next })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(next))
    .execute();
  return next.failures;
}

/** Forgets the failures of `subject`, who proved to know. */
export async function forgetFailures(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('login_attempts').where('subject', '=', subject).execute();
}
