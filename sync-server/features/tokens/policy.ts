import { forbidden, Problem } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { isIssued } from '../site/app-ids.ts';
import { mustExist } from '../users/policy.ts';

/** Failures per account and address within the window before a wait is required. */
export const freeTries = 10;
/** The window after which failures are forgotten, seconds. */
export const forgetAfterSeconds = 15 * 60;

/** Retention of failed attempts, seconds. */
export const keepAttemptsSeconds = 24 * 3600;

/** Failures at an account from all places except its known devices and addresses. */
export const accountLimit = { free: 30, forgetEachSeconds: 300 } as const;
/** Failures at all accounts from one address, where a thousand people may be; known devices are exempt. */
export const addressLimit = { free: 100, forgetEachSeconds: 30, isShared: true } as const;

/**
 * Wrong passwords given as a proof in the sessions of a person, from all addresses.
 *
 * - USER-19 Wrong passwords given in a person's sessions are also counted for that person across all addresses. The
 *   thirtieth wrong password, and each one after it, ends the session that sent it. One is forgotten every 5 minutes.
 *   Signing in is not affected.
 */
export const proofLimit = { free: 30, forgetEachSeconds: 300 } as const;

/** Seconds to wait after `failures` failed attempts: none for the first ten, then doubling up to the window. */
export function waitSeconds(failures: number): number {
  if (failures < freeTries) return 0;
  return Math.min(forgetAfterSeconds, 2 ** (failures - freeTries));
}

/**
 * Throws 400, as live servers do, for a missing or unknown app id, which sites with open registration require to
 * register and to sign in (spec, "Authentication" 2).
 */
export async function requireAppId(ctx: Context): Promise<void> {
  if (can(ctx.viewer, 'account.omitAppId', ctx.services.site)) return;
  const appid = ctx.headers['x-app-id'];
  if (appid === undefined || !(await isIssued(ctx.db, appid))) {
    throw new Problem('bad-json', 'Invalid app id', { code: 'invalid-app-id' });
  }
}

/** Throws 403 unless the caller may act as another person. */
export function mustImpersonate(ctx: Context): void {
  if (!can(ctx.viewer, 'account.impersonate', ctx.services.site))
    throw forbidden('Whoever acts as somebody else cannot act as a third');
}

/** Throws 404 for an unknown person, 403 unless the caller may see their sessions. */
export async function mustSeeSessions(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'person.seeSessions', { userid }))
    throw forbidden("Only an administrator can see other people's sessions", ['Admin']);
}

const daySeconds = 24 * 3600;

/**
 * The message for a password that is older than the site allows (21 CFR 11.300(b)); undefined if it is not.
 *
 * - USER-9 If the site sets after how many days a password must be replaced (`password_days`), an older one can neither
 *   sign in nor sign.
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
