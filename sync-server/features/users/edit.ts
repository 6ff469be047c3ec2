import type { Selectable } from 'kysely';

import type { ProfileEdit } from '#shared/api/users.ts';
import { notFound, Problem } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { principalsOf, membershipsOf } from '#server/core/viewer.ts';
import { administers } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import type { Tables } from '#server/storage/tables.ts';

import { mustShow } from '../guides/showable.ts';
import { setTeams } from '../teams/members.ts';
import { endActing, endOtherAccess } from '../tokens/sessions.ts';
import { accessSetBy, addressesOf, doerOf, notifyOwner, type Changed } from '../tokens/notices.ts';
import { forgetAccountFailures } from '../tokens/throttle.ts';
import { publishPerson, refuseTaken } from './store.ts';

type Row = Selectable<Tables['users']>;

/** A profile edit with the image resolved and the password hashed. */
type StoredEdit = Omit<ProfileEdit, 'password' | 'image' | 'current_password' | 'sign_on_token'> & {
  passwordHash?: string | undefined;
  image?: ImageRef | null | undefined;
};

/**
 * Applies a profile edit. Throws 422 for values that belong to another account, 403 if no administrator would be left.
 * Returns a function that notifies the owner of changed credentials, to be called once the edit is stored.
 */
export async function editProfile(ctx: Context, userid: number, edit: StoredEdit): Promise<() => void> {
  const before = await ctx.db.selectFrom('users').selectAll().where('userid', '=', userid).executeTakeFirst();
  if (before === undefined) throw notFound('User');
  if (edit.about !== before.about_raw) await mustShow(ctx, { about: edit.about });
  if (edit.email !== undefined) await refuseTaken(ctx, 'email', edit.email.toLowerCase(), userid);
  if (edit.unique_username != null) await refuseTaken(ctx, 'unique_username', edit.unique_username, userid);
  if (edit.sso_userid != null) await refuseTaken(ctx, 'sso_userid', edit.sso_userid, userid);
  const privileges =
    edit.privileges === undefined
      ? before.privileges
      : JSON.stringify([...new Set(['User', ...edit.privileges])]);
  await refuseLastAdmin(ctx, userid, privileges, edit.enabled ?? before.enabled === 1);
  const changed = changedIn(before, edit);
  await ctx.db
    .updateTable('users')
    .set({
      ...profileColumns(before, edit),
      privileges,
      ...(changed.length === 0 ? {} : accessSetBy(ctx.viewer, before, ctx.seconds)),
      ...(edit.passwordHash === undefined
        ? {}
        : { password_date: ctx.seconds, password_is_own: userid === ctx.viewer.userid ? 1 : 0 }),
    })
    .where('userid', '=', userid)
    .execute();
  if (changed.length > 0 || edit.enabled === false) {
    // Adding a first single sign-on id leaves existing sessions open.
    const isAdded = changed.every((one) => one === 'ssoUserid') && before.sso_userid === null;
    if (!isAdded || edit.enabled === false) await endOtherAccess(ctx, userid);
  }
  const email = edit.email?.toLowerCase() ?? before.email;
  if (edit.passwordHash !== undefined && email !== null) await forgetAccountFailures(ctx.db, email);
  if (!administers(JSON.parse(privileges) as string[])) await endActing(ctx.db, userid);
  if (privileges !== before.privileges) await publishAccess(ctx, userid, before.privileges, privileges);
  if (edit.teams !== undefined) await setTeams(ctx, userid, edit.teams);
  await publishPerson(ctx, userid);
  const by = doerOf(ctx.viewer, userid);
  const to = addressesOf(before, ctx.seconds);
  return () => notifyOwner(ctx.services, { to, account: before, changed, by });
}

/** The sign-in credentials that an edit changes. */
function changedIn(before: Row, edit: StoredEdit): Changed[] {
  const email = edit.email?.toLowerCase() ?? before.email;
  return [
    ...(edit.passwordHash === undefined ? [] : (['password'] as const)),
    ...(email === before.email ? [] : (['address'] as const)),
    ...(chosen(edit.sso_userid, before.sso_userid) === before.sso_userid ? [] : (['ssoUserid'] as const)),
  ];
}

/** Columns that an edit of a profile never changes. */
type Kept =
  | 'userid'
  | 'accountid'
  | 'join_date'
  | 'reputation'
  | 'password_date'
  | 'password_is_own'
  | 'access_by'
  | 'access_date'
  | 'address_before';

/** The columns of a profile after an edit; fields that it does not name stay. */
function profileColumns(before: Row, edit: StoredEdit): Omit<Row, Kept> {
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

function chosen<T>(now: T | undefined, before: T): T {
  return now === undefined ? before : now;
}

async function publishAccess(ctx: Context, userid: number, before: string, after: string): Promise<void> {
  const memberships = await membershipsOf(ctx.db, userid);
  ctx.changes.access(
    userid,
    principalsOf(userid, JSON.parse(before) as string[], memberships),
    principalsOf(userid, JSON.parse(after) as string[], memberships),
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
    .where(contains(ctx.db, 'privileges', '"Admin"'))
    .where((eb) => eb.not(contains(ctx.db, 'privileges', '"Kiosk"')))
    .execute();
  if (admins.length === 1 && admins[0]?.userid === userid)
    throw new Problem('forbidden', 'The last administrator cannot step down');
}
