import type { Selectable } from 'kysely';

import type { ProfileEdit } from '#shared/api/users.ts';
import { notFound, Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { principalsOf, teamsOf } from '#server/http/auth.ts';
import { administers } from '#server/access/roles.ts';
import type { Context } from '#server/http/context.ts';
import type { Tables } from '#server/storage/tables.ts';

import { setTeams } from '../teams/members.ts';
import { publishPerson, refuseTaken } from './store.ts';

type Row = Selectable<Tables['users']>;

/** A profile edit with its image found and its password hashed. */
type StoredEdit = Omit<ProfileEdit, 'password' | 'image'> & {
  passwordHash?: string | undefined;
  image?: ImageRef | null | undefined;
};

/** Applies a profile edit; 422 for what another account has, 403 when nobody would be left to administer the site. */
export async function editProfile(ctx: Context, userid: number, edit: StoredEdit): Promise<void> {
  const before = await ctx.db.selectFrom('users').selectAll().where('userid', '=', userid).executeTakeFirst();
  if (before === undefined) throw notFound('User');
  if (edit.email !== undefined) await refuseTaken(ctx, 'email', edit.email.toLowerCase(), userid);
  if (edit.unique_username != null) await refuseTaken(ctx, 'unique_username', edit.unique_username, userid);
  if (edit.sso_userid != null) await refuseTaken(ctx, 'sso_userid', edit.sso_userid, userid);
  const privileges =
    edit.privileges === undefined
      ? before.privileges
      : JSON.stringify([...new Set(['User', ...edit.privileges])]);
  await refuseLastAdmin(ctx, userid, privileges, edit.enabled ?? before.enabled === 1);
  await ctx.db
    .updateTable('users')
    .set({
      ...profileColumns(before, edit),
      privileges,
      password_date: edit.passwordHash === undefined ? before.password_date : ctx.seconds,
    })
    .where('userid', '=', userid)
    .execute();
  if (edit.passwordHash !== undefined || edit.enabled === false || losesSignOn(before, edit))
    await endOtherTokens(ctx, userid);
  if (privileges !== before.privileges) await publishAccess(ctx, userid, before.privileges, privileges);
  if (edit.teams !== undefined) await setTeams(ctx, userid, edit.teams);
  await publishPerson(ctx, userid);
}

/** The columns of a profile after an edit; what it does not name stays. */
function profileColumns(
  before: Row,
  edit: StoredEdit,
): Omit<Row, 'userid' | 'accountid' | 'join_date' | 'reputation' | 'password_date'> {
  const username = edit.username ?? before.username;
  return {
    email: edit.email?.toLowerCase() ?? before.email,
    username,
    username_search: searchName(username),
    unique_username: chosen(edit.unique_username, before.unique_username),
    password_hash: edit.passwordHash ?? before.password_hash,
    image: chosen(edit.image == null ? edit.image : JSON.stringify(edit.image), before.image),
    summary: chosen(edit.summary, before.summary),
    about_raw: edit.about ?? before.about_raw,
    location: chosen(edit.location, before.location),
    latitude: chosen(edit.latitude, before.latitude),
    longitude: chosen(edit.longitude, before.longitude),
    langid: edit.langid ?? before.langid,
    sso_userid: chosen(edit.sso_userid, before.sso_userid),
    privileges: before.privileges,
    enabled: (edit.enabled ?? before.enabled === 1) ? 1 : 0,
  };
}

/** Whether who came in by single sign-on does so no more. */
function losesSignOn({ sso_userid: before }: Row, { sso_userid: now }: StoredEdit): boolean {
  return before !== null && now !== undefined && now !== before;
}

function chosen<T>(now: T | undefined, before: T): T {
  return now === undefined ? before : now;
}

/** Ends the other sessions, and links that were asked for to set a new password. */
async function endOtherTokens(ctx: Context, userid: number): Promise<void> {
  await ctx.db
    .deleteFrom('tokens')
    .where('userid', '=', userid)
    .where('token_hash', '!=', ctx.viewer.tokenHash ?? '')
    .execute();
  await ctx.db.deleteFrom('password_resets').where('userid', '=', userid).execute();
}

async function publishAccess(ctx: Context, userid: number, before: string, after: string): Promise<void> {
  const teams = await teamsOf(ctx.db, userid);
  ctx.changes.access(
    userid,
    principalsOf(userid, JSON.parse(before) as string[], teams),
    principalsOf(userid, JSON.parse(after) as string[], teams),
  );
}

async function refuseLastAdmin(
  ctx: Context,
  userid: number,
  privileges: string,
  enabled: boolean,
): Promise<void> {
  if (enabled && administers(JSON.parse(privileges) as string[])) return;
  const admins = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where('enabled', '=', 1)
    .where('privileges', 'like', '%"Admin"%')
    .where('privileges', 'not like', '%"Kiosk"%')
    .execute();
  if (admins.length === 1 && admins[0]?.userid === userid)
    throw new Problem('forbidden', 'The last administrator cannot step down');
}
