import { forbidden, invalid } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';

import { mustActAsOneself } from '../tokens/proof.ts';
import { mustExist } from '../users/policy.ts';
import { isStation } from '../users/store.ts';
import { can } from './access.ts';

/** Throws 403 for everybody but administrators. */
export function mustListAccounts(ctx: Context): void {
  if (!can(ctx.viewer, 'account.list', null))
    throw forbidden('Only an administrator lists accounts', ['Admin']);
}

/** Throws 403 for everybody but administrators. */
export function mustEndSessions(ctx: Context): void {
  if (!can(ctx.viewer, 'account.endSessions', null))
    throw forbidden('Only an administrator ends the sessions of all people', ['Admin']);
}

/** Throws 404 for an unknown person, 403 unless the caller may invite them. */
export async function mustInvite(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  mustActAsOneself(ctx, 'cannot change how this person signs in');
  if (!can(ctx.viewer, 'account.invite', { userid }))
    throw forbidden('Only an administrator invites people', ['Admin']);
  // STATION-16
  if (await isStation(ctx.db, userid)) throw forbidden('This is a station: nobody signs in as it');
}

/** Throws 422 for an account that is closed, or, by mail, for one that no mail can reach. */
export function mustBeReachable(
  ctx: Context,
  { enabled, email }: { enabled: number; email: string | null },
  by: 'mail' | 'code',
): void {
  if (enabled === 0) throw invalid('userid', 'This account is closed. Open it again first');
  if (by === 'code') return;
  if (email === null) throw invalid('by', 'This account has no e-mail address. Print a code instead');
  if (!ctx.services.mailer.isConfigured)
    throw invalid('by', 'This server sends no e-mail. Set up a mail server, or print a code instead');
}
