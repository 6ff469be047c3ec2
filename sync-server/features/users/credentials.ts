import { invalid, notFound } from '#shared/api/problem.ts';
import type { ProfileEdit } from '#shared/api/users.ts';
import { administers } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { givenFlaw, type PasswordUse } from '../approvals/password.ts';
import { mustBeProved } from '../tokens/proof.ts';

/** The sign-in credentials of a person. */
const credentials = ['password', 'email', 'sso_userid'] as const;

/** Whether an edit names a sign-in credential, with any value. */
export function credentialsIn(asked: Readonly<Record<string, unknown>>): boolean {
  return credentials.some((field) => asked[field] !== undefined);
}

/** Throws 422 for a new password that equals the current one. */
export function mustDiffer(password: string | undefined, current: string | undefined): void {
  if (password !== undefined && password === current)
    throw invalid('password', 'Choose a password that differs from your current one');
}

/** Why a password cannot prove an edit: a password set by another person only allows its owner to set a new one. */
export function flawOfProof(isOwn: boolean, edit: ProfileEdit): PasswordUse['flaw'] {
  const named = Object.keys(edit).filter((name) => name !== 'current_password');
  const setsOwnAlone = isOwn && named.length === 1 && named[0] === 'password';
  return setsOwnAlone ? () => undefined : (_, account) => givenFlaw(account);
}

/**
 * Throws 422 for an edit that requires a proof, if there is none: a new password, address or single sign-on id; a new
 * administrator, who could change those of others; and removing the `Kiosk` privilege. Returns whether the address
 * changes.
 *
 * - USER-18 The session of an administrator alone cannot create a person who could then sign. An administrator must
 *   prove their identity as in USER-13 to register a person (`POST /users`), to open registration to everyone, or to
 *   remove the `Kiosk` privilege from an account whose password many people know. They may omit the password: the owner
 *   then sets one through a password reset link (`POST /users/reset_password`, `benchbook user reset-link`), and the
 *   answer has no token.
 */
export async function mustProveChange(
  ctx: Context,
  userid: number,
  edit: ProfileEdit,
  isProved: boolean,
): Promise<{ isOtherAddress: boolean }> {
  const before = await ctx.db
    .selectFrom('users')
    .select(['email', 'sso_userid', 'privileges'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  if (before === undefined) throw notFound('User');
  const isOtherAddress = edit.email !== undefined && edit.email.toLowerCase() !== before.email;
  const isAnother =
    edit.password !== undefined ||
    isOtherAddress ||
    (edit.sso_userid !== undefined && edit.sso_userid !== before.sso_userid);
  const held = JSON.parse(before.privileges) as string[];
  const privileges = edit.privileges ?? held;
  const isNewAdmin = administers(privileges) && !administers(held);
  const isKioskNoMore = held.includes('Kiosk') && !privileges.some((one) => one === 'Kiosk');
  if (isAnother || isNewAdmin || isKioskNoMore) mustBeProved(isProved);
  return { isOtherAddress };
}
