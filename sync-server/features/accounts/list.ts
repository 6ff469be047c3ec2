import type { Account, SiteSession } from '#shared/model/account.ts';
import type { Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';

import { presentSessions, sessionOf } from '../tokens/sessions.ts';

interface Paging {
  limit: number;
  offset: number;
}

/**
 * The accounts of people, ordered by id. Stations are listed with the stations.
 *
 * - ACCOUNTS-1 Administrators list every account with its roles, teams, state, sessions and last sign of use, also those
 *   that are closed. No mail address is among it.
 */
export async function listAccounts(ctx: Context, page: Paging): Promise<Account[]> {
  const { db, seconds } = ctx;
  const select = db
    .selectFrom('users')
    .leftJoin('stations', 'stationid', 'users.userid')
    .select([
      'users.userid',
      'username',
      'unique_username',
      'privileges',
      'enabled',
      'join_date',
      'email',
      'langid',
      'password_hash',
      'sso_userid',
    ])
    .where('stationid', 'is', null)
    .orderBy('users.userid');
  const rows = await readPage(ctx, select, page);
  const ids = rows.map(({ userid }) => userid);
  const teams = await db
    .selectFrom('team_members')
    .select(['userid', 'teamid'])
    .where('userid', 'in', ids)
    .orderBy('teamid')
    .execute();
  const sessions = await db
    .selectFrom('tokens')
    .select(({ fn }) => ['userid', fn.max('used_date').as('seen'), fn.countAll<number>().as('count')])
    .where('userid', 'in', ids)
    .where('expires_date', '>=', seconds)
    // An administrator who acts as the person is not the person.
    .where('impersonator', 'is', null)
    .groupBy('userid')
    .execute();
  const invited = await db
    .selectFrom('password_resets')
    .select(({ fn }) => ['userid', fn.max('expires_date').as('until'), fn.max('failure').as('failure')])
    .where('userid', 'in', ids)
    .where('expires_date', '>', seconds)
    .groupBy('userid')
    .execute();
  const teamsOf = Map.groupBy(teams, ({ userid }) => userid);
  const sessionsOf = new Map(sessions.map((one) => [one.userid, one]));
  const invitationOf = new Map(invited.map((one) => [one.userid, one]));
  return rows.map((row) => ({
    userid: row.userid,
    username: row.username,
    unique_username: row.unique_username,
    privileges: JSON.parse(row.privileges) as string[],
    teams: (teamsOf.get(row.userid) ?? []).map(({ teamid }) => teamid),
    enabled: row.enabled === 1,
    join_date: row.join_date,
    seen_date: sessionsOf.get(row.userid)?.seen ?? null,
    sessions: sessionsOf.get(row.userid)?.count ?? 0,
    langid: row.langid,
    has_email: row.email !== null,
    can_sign_in: row.password_hash !== null || row.sso_userid !== null,
    invited_until: invitationOf.get(row.userid)?.until ?? null,
    ...failureOf(invitationOf.get(row.userid)),
  }));
}

/** The failure of the mail of an invitation, if there is one. */
function failureOf(invited: { failure: string | null } | undefined): Pick<Account, 'invitation_failure'> {
  const failure = invited?.failure ?? null;
  return failure === null ? {} : { invitation_failure: failure };
}

/**
 * The sessions of all people, most recently used first, with those of stations.
 *
 * - ACCOUNTS-2 Administrators list the sessions of all people, and whether each device is connected at this moment.
 */
export async function listAllSessions(ctx: Context, page: Paging): Promise<SiteSession[]> {
  const select = presentSessions(ctx).select(['users.userid', 'users.username']);
  const rows = await readPage(ctx, select, page);
  return rows.map((row) => ({
    ...sessionOf(row, ctx),
    is_connected: ctx.services.devices.isConnected(row.token_hash),
  }));
}

/**
 * Ends the sessions of all people but the caller's own.
 *
 * - ACCOUNTS-3 An administrator ends every session but their own at once, such as after a theft. Stations stay: each is
 *   shut out by revoking it, which also tells its device why.
 * - ACCOUNTS-9 What could become a session ends, too: links and printed codes for the password of an account that is in use,
 *   and single sign-ons that were begun. Passwords stay, and so do invitations of people who never signed in.
 */
export async function endAllSessions({ db, viewer }: Context): Promise<void> {
  await db
    .deleteFrom('tokens')
    .where('token_hash', '!=', viewer.tokenHash ?? '')
    .where('userid', 'not in', (query) => query.selectFrom('stations').select('stationid'))
    .execute();
  await db
    .deleteFrom('password_resets')
    .where('userid', 'in', (query) =>
      query
        .selectFrom('users')
        .select('users.userid')
        .where((is) => is.or([is('password_hash', 'is not', null), is('sso_userid', 'is not', null)])),
    )
    .execute();
  for (const table of ['sign_on_tokens', 'sign_ons'] as const)
    await db.deleteFrom(table).where('userid', '!=', viewer.userid).execute();
  await db.deleteFrom('sign_ins').execute();
}
