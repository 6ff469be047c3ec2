import { forbidden, notFound } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { findPerson, isStation } from './store.ts';

/** Throws 404 if the person does not exist. */
export async function mustExist(ctx: Context, userid: number): Promise<void> {
  if ((await findPerson(ctx.db, userid)) === undefined) throw notFound('User');
}

/**
 * Throws 404 as above, 403 for another person's profile.
 *
 * - USER-4 Accounts are edited by their owner and administrators. The order of refusals is 404, 403, 422.
 */
export async function mustEditPerson(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'person.edit', { userid }))
    throw forbidden("Only an administrator edits other people's profiles", ['Admin']);
}

/** Fields that would let somebody sign in as a station, or make it something else. */
const ofPeople = ['email', 'password', 'sso_userid', 'privileges', 'enabled'] as const;

/**
 * Throws 403 if an edit would let somebody sign in as a station.
 *
 * - STATION-16 Nobody signs in as a station: its account has no password, no e-mail address and no single sign-on id, and
 *   nobody can give it any, or other privileges. No administrator acts as it. It is shut out by revoking it.
 */
export async function mustNotBeStation(
  ctx: Context,
  userid: number,
  asked: Readonly<Record<string, unknown>>,
): Promise<void> {
  const touched = ofPeople.find((field) => asked[field] !== undefined);
  if (touched !== undefined && (await isStation(ctx.db, userid)))
    throw forbidden(`This is a station: its ${touched} cannot be changed`);
}

/** Fields of a profile that only administrators change. */
const governed = ['privileges', 'enabled', 'teams', 'sso_userid'] as const;

/**
 * Throws 403 if an edit names a field that only administrators change, with any value.
 *
 * - PEOPLE-9 Only administrators change privileges, teams, the single sign-on id and `enabled`.
 */
export function mustGovern(ctx: Context, userid: number, asked: Readonly<Record<string, unknown>>): void {
  const touched = governed.find((field) => asked[field] !== undefined);
  if (touched !== undefined && !can(ctx.viewer, 'person.govern', { userid }))
    throw forbidden(`Only an administrator changes ${touched}`, ['Admin']);
}

/**
 * The person with this mail address or single sign-on id.
 *
 * - PEOPLE-5 Administrators and the owner can find a profile by its address. Everyone else gets 403, whether or not the
 *   address exists.
 * - PEOPLE-6 A single sign-on id is set by administrators, shown only to them, and belongs to one account. A profile
 *   can be found by it as by an address.
 */
export async function mustFindByAddress(
  ctx: Context,
  column: 'email' | 'sso_userid',
  value: string,
): Promise<number> {
  const row = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where(column, '=', column === 'email' ? value.toLowerCase() : value)
    .executeTakeFirst();
  if (!can(ctx.viewer, 'person.findByAddress', { userid: row?.userid ?? 0 }))
    throw forbidden(undefined, ['Admin']);
  if (row === undefined) throw notFound('User');
  return row.userid;
}
