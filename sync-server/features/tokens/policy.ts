import { forbidden, Problem } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { isIssued } from '../site/app-ids.ts';
import { mustExist } from '../users/policy.ts';

/** Tries allowed within the window per account and address before waiting is asked for. */
export const freeTries = 10;
/** The window after which failures are forgotten. */
export const forgetAfterSeconds = 15 * 60;

/** How long failed attempts are kept, seconds. */
export const keepAttemptsSeconds = 24 * 3600;

/** Failures at one account from everywhere but its known devices and addresses. */
export const accountLimit = { free: 30, forgetEachSeconds: 300 } as const;
/** Failures at all accounts from one address, where a thousand people may be; known devices are exempt. */
export const addressLimit = { free: 100, forgetEachSeconds: 30, isShared: true } as const;

/** Wrong passwords that were given as a proof in sessions of one person, from everywhere (USER-19). */
export const proofLimit = { free: 30, forgetEachSeconds: 300 } as const;

/** Seconds to wait after `failures` failed tries: none for the first ten, then doubling up to the window. */
export function waitSeconds(failures: number): number {
  if (failures < freeTries) return 0;
  return Math.min(forgetAfterSeconds, 2 ** (failures - freeTries));
}

/** Sites with public registration ask registering and signing-in apps for an app id (spec, "Authentication" 2). */
export async function requireAppId(ctx: Context): Promise<void> {
  if (can(ctx.viewer, 'account.omitAppId', ctx.services.site)) return;
  const appid = ctx.headers['x-app-id'];
  if (appid === undefined || !(await isIssued(ctx.db, appid))) {
    throw new Problem('invalid', 'Invalid app id', {
      errors: [{ field: 'X-App-Id', message: 'Send an app id issued by the site administrator' }],
    });
  }
}

/** 403 for whoever may not act as somebody else. */
export function mustImpersonate(ctx: Context): void {
  if (!can(ctx.viewer, 'account.impersonate', ctx.services.site))
    throw forbidden('Whoever acts as somebody else cannot act as a third');
}

/** 404 for an unknown person; 403 for the sessions of another person. */
export async function mustSeeSessions(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'person.seeSessions', { userid }))
    throw forbidden("Only an administrator can see other people's sessions", ['Admin']);
}

const daySeconds = 24 * 3600;

/**
 * What is said to whoever proves to be themselves by a password that is older than the site allows (21 CFR 11.300(b)); undefined
 * while it is young enough.
 */
export function ageFlaw(
  { seconds, services }: Pick<Context, 'seconds' | 'services'>,
  account: { password_date: number | null; join_date: number },
): string | undefined {
  const { password_days } = services.site;
  const since = account.password_date ?? account.join_date;
  if (password_days === null || seconds <= since + password_days * daySeconds) return undefined;
  return `This password is older than the ${password_days} days that this site allows; set a new one`;
}
