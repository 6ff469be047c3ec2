import { forbidden, notFound } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { findPerson } from './store.ts';

/** 404 when there is no such person. */
export async function mustExist(ctx: Context, userid: number): Promise<void> {
  if ((await findPerson(ctx.db, userid)) === undefined) throw notFound('User');
}

/** 404 as above; 403 for the profile of somebody else. */
export async function mustEditPerson(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'person.edit', { userid }))
    throw forbidden("Only an administrator edits other people's profiles", ['Admin']);
}

/** What of a profile gives power. */
const governed = ['privileges', 'enabled', 'teams', 'sso_userid'] as const;

/** 403 when an edit touches what only administrators decide, whatever it says of it. */
export function mustGovern(ctx: Context, userid: number, asked: Readonly<Record<string, unknown>>): void {
  const touched = governed.find((field) => asked[field] !== undefined);
  if (touched !== undefined && !can(ctx.viewer, 'person.govern', { userid }))
    throw forbidden(`Only an administrator changes ${touched}`, ['Admin']);
}

/**
 * The person with this mail address or single sign-on id. 403 for everybody but administrators and the person, alike
 * whether somebody has it or not; for administrators 404 when nobody has.
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
