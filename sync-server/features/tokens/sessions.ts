import type { Session } from '#shared/model/session.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

/** The sessions that have not ended, most recently used first, with who is acting. */
export function presentSessions({ db, seconds }: Pick<Context, 'db' | 'seconds'>) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.userid', 'tokens.userid')
    .leftJoin('users as acting', 'acting.userid', 'tokens.impersonator')
    .select([
      'token_hash',
      'sessionid',
      'device',
      'address',
      'created_date',
      'used_date',
      'expires_date',
      'impersonator',
      'acting.username as actingName',
    ])
    .where('expires_date', '>=', seconds)
    .orderBy('used_date', 'desc')
    .orderBy('created_date', 'desc')
    .orderBy('sessionid');
}

/** A row of `presentSessions` as it is answered. Its token stays on the server. */
export function sessionOf<Row extends SessionRow>(
  { token_hash, impersonator, actingName, ...row }: Row,
  { viewer }: Pick<Context, 'viewer'>,
) {
  return {
    ...row,
    is_current: token_hash === viewer.tokenHash,
    impersonator: impersonator === null ? null : { userid: impersonator, username: actingName ?? '' },
  };
}

interface SessionRow {
  token_hash: string;
  impersonator: number | null;
  actingName: string | null;
}

/**
 * The sessions of a person, most recently used first.
 *
 * - USER-16 People list and end their own sessions, and administrators those of others: `/users/{userid}/sessions`,
 *   with device, address, first and last use, and who is acting as them. The id of a session is not its token. An
 *   unused session ends after 90 days (SIGN-IN-4).
 */
export async function listSessions(ctx: Context, userid: number): Promise<Session[]> {
  const rows = await presentSessions(ctx).where('tokens.userid', '=', userid).execute();
  return rows.map((row) => sessionOf(row, ctx));
}

/** Ends a session. Returns false if the person has no session with this id. */
export async function endSession(db: Db, userid: number, sessionid: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('tokens')
    .where('userid', '=', userid)
    .where('sessionid', '=', sessionid)
    .returning('sessionid')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Ends every session of a person except the caller's own, and the sessions in which the person acts as others. */
export async function endOtherSessions(
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
  userid: number,
): Promise<void> {
  await db
    .deleteFrom('tokens')
    .where('userid', '=', userid)
    .where('token_hash', '!=', viewer.tokenHash ?? '')
    .execute();
  await endActing(db, userid);
}

/** Ends the sessions in which a person acts as others. */
export async function endActing(db: Db, userid: number): Promise<void> {
  await db.deleteFrom('tokens').where('impersonator', '=', userid).execute();
}

/**
 * Ends everything that depends on the previous credentials of a person.
 *
 * - USER-5 A new password ends the other tokens. So does changing or removing an e-mail address or a single sign-on id.
 * - USER-14 A new password, address or single sign-on id ends the other sessions of the account, password reset links,
 *   unused single sign-ons, and the sessions in which the account acts as other people. With each session end the
 *   players of training modules that were opened in it. Adding a first single sign-on id ends nothing. The previous
 *   address is notified by e-mail what was changed and by whom, without the new value.
 */
export async function endOtherAccess(ctx: Pick<Context, 'db' | 'viewer'>, userid: number): Promise<void> {
  await endOtherSessions(ctx, userid);
  for (const table of ['password_resets', 'sign_on_tokens', 'sign_ons'] as const)
    await ctx.db.deleteFrom(table).where('userid', '=', userid).execute();
}
