import type { Selectable } from 'kysely';

import { invalid, notFound } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { PersonFacts, User } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { userRecord } from '#shared/rules/people.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { can } from '#server/features/can.ts';
import { peopleAudience } from './access.ts';
import { teamsOf } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import { startsWith } from '#server/storage/dialect.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import { newUuid } from '#server/platform/random.ts';
import { acceptedLocale } from '#server/text/texts.ts';

import { userFlagRecords } from '../guides/flags.ts';
import { wikiContextFor } from '../guides/wiki-context.ts';
import { badgeCounts } from '../merits/badges.ts';

/** The person as facts; throws 404 if they do not exist. */
export async function readPerson(db: Db, userid: number): Promise<PersonFacts> {
  const person = await findPerson(db, userid);
  if (person === undefined) throw notFound('User');
  return person;
}

export async function findPerson(db: Db, userid: number): Promise<PersonFacts | undefined> {
  return (await findPeople(db, [userid])).get(userid);
}

/** Several people by userid. */
export async function findPeople(db: Db, userids: number[]): Promise<Map<number, PersonFacts>> {
  const ids = [...new Set(userids)];
  const [only] = ids;
  if (only === undefined) return new Map();
  if (ids.length === 1) {
    const [[row], teams] = await Promise.all([userRow(db, { userid: only }), teamsOf(db, only)]);
    return new Map(row === undefined ? [] : [[only, factsOf(row, teams)]]);
  }
  const rows = await userRows(db, ids, {});
  const memberships = await membershipRows(db, ids, {});
  const teams = Map.groupBy(memberships, (one) => one.userid);
  return new Map(
    rows.map((row) => [
      row.userid,
      factsOf(
        row,
        (teams.get(row.userid) ?? []).map((one) => one.teamid),
      ),
    ]),
  );
}

/** Whether the account is that of a station. */
export async function isStation(db: Db, userid: number): Promise<boolean> {
  return (await stationRow(db, { stationid: userid })).length > 0;
}

const stationRow = prepared<{ stationid: number }, { stationid: number }>((db, value) =>
  db.selectFrom('stations').select('stationid').where('stationid', '=', value('stationid')),
);

const userRow = prepared<{ userid: number }, Selectable<Tables['users']>>((db, value) =>
  db.selectFrom('users').selectAll().where('userid', '=', value('userid')),
);

const userRows = preparedList<Record<never, never>, number, Selectable<Tables['users']>>((db, userids) =>
  db.selectFrom('users').selectAll().where('userid', 'in', userids),
);

const membershipRows = preparedList<Record<never, never>, number, { userid: number; teamid: number }>(
  (db, userids) =>
    db
      .selectFrom('team_members')
      .select(['userid', 'teamid'])
      .where('userid', 'in', userids)
      .orderBy('teamid'),
);

function factsOf(row: Selectable<Tables['users']>, teams: number[]): PersonFacts {
  return {
    kind: 'user',
    userid: row.userid,
    username: row.username,
    unique_username: row.unique_username,
    join_date: row.join_date,
    image: row.image === null ? null : (JSON.parse(row.image) as ImageRef),
    reputation: row.reputation,
    teams,
    privileges: JSON.parse(row.privileges) as string[],
    summary: row.summary,
    about_raw: row.about_raw,
    location: row.location,
    latitude: row.latitude,
    longitude: row.longitude,
    enabled: row.enabled === 1,
  };
}

/**
 * The record of `GET /user`, with `authToken` if the caller's own token is known (existing apps read it there).
 *
 * - PEOPLE-10 The language of a person is shown only to that person, and to administrators in the list of accounts.
 */
export async function readOwnRecord(ctx: Context, userid: number): Promise<User> {
  const row = await ctx.db
    .selectFrom('users')
    .select(['langid', 'accountid', 'password_is_own', 'password_hash'])
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  const { id: serverid } = await ctx.services.identity.key();
  const token = /^(?:api|bearer) +(\S+)$/i.exec(ctx.headers['authorization'] ?? '')?.[1];
  const record = {
    ...(await readProfile(ctx, userid)),
    langid: row.langid,
    accountid: row.accountid,
    serverid,
    unread_notification_count: 0,
    ...(await impersonatorOf(ctx)),
    ...(row.password_hash !== null && row.password_is_own === 0 ? { must_set_password: true as const } : {}),
  };
  return token === undefined || ctx.viewer.userid !== userid ? record : { ...record, authToken: token };
}

/** The administrator, if one is acting as another person. */
async function impersonatorOf({ db, viewer }: Context): Promise<Pick<User, 'impersonator'>> {
  if (viewer.impersonator === undefined) return {};
  const { userid, username } = await readPerson(db, viewer.impersonator);
  return { impersonator: { userid, username } };
}

/**
 * The profile of a person; administrators also get the single sign-on id.
 *
 * - PEOPLE-8 A profile is rendered with the permissions of its reader: titles of guides that they may not see stay
 *   hidden.
 */
export async function readProfile(ctx: Context, userid: number): Promise<User> {
  const person = await readPerson(ctx.db, userid);
  const counted = { ...person, badge_counts: await badgeCounts(ctx.db, userid) };
  const record = userRecord(counted, ctx.baseUrl, await wikiContextFor(ctx, [person.about_raw]));
  if (!can(ctx.viewer, 'person.govern', { userid })) return record;
  const { sso_userid } = await ctx.db
    .selectFrom('users')
    .select('sso_userid')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  return { ...record, sso_userid };
}

/** A profile as the answer to an edit; for its owner with the fields that only they see. */
export async function representUser(ctx: Context, userid: number): Promise<User> {
  return userid === ctx.viewer.userid ? readOwnRecord(ctx, userid) : readProfile(ctx, userid);
}

interface NewAccount {
  username: string;
  unique_username?: string | undefined;
  email: string | null;
  passwordHash: string | null;
  /** Whether the owner chose the password and no one else knows it. Default: false; it cannot sign (USER-15). */
  passwordIsOwn?: boolean;
  /** The person who set how the owner signs in (0: the command line), for USER-17. Default: the owner. */
  accessBy?: number;
  privileges: string[];
  userid?: number;
  joinDate?: number;
  reputation?: number;
  image?: ImageRef | null;
  enabled?: boolean;
  about?: string;
  location?: string | null;
  ssoUserid?: string;
}

/** Creates an account and returns the userid. Throws 422 if the e-mail address or unique username is taken. */
export async function createAccount(ctx: Context, account: NewAccount): Promise<number> {
  const email = account.email?.toLowerCase() ?? null;
  if (email !== null) await refuseTaken(ctx, 'email', email);
  const unique = account.unique_username;
  if (unique !== undefined) await refuseTaken(ctx, 'unique_username', unique);
  const row = await ctx.db
    .insertInto('users')
    .values({
      ...(account.userid === undefined ? {} : { userid: account.userid }),
      username: account.username,
      username_search: searchName(account.username),
      unique_username: unique ?? null,
      email,
      password_hash: account.passwordHash,
      password_date: account.passwordHash === null ? null : ctx.seconds,
      password_is_own: account.passwordIsOwn === true ? 1 : 0,
      access_by: account.accessBy ?? null,
      access_date: account.accessBy === undefined ? null : ctx.seconds,
      privileges: JSON.stringify(account.privileges),
      join_date: account.joinDate ?? ctx.seconds,
      reputation: account.reputation ?? 1,
      image: account.image == null ? null : JSON.stringify(account.image),
      summary: null,
      about_raw: account.about ?? '',
      location: account.location ?? null,
      latitude: null,
      longitude: null,
      langid: languageOfNew(ctx),
      enabled: account.enabled === false ? 0 : 1,
      sso_userid: account.ssoUserid ?? null,
      accountid: newUuid(ctx.services),
    })
    .returning('userid')
    .executeTakeFirstOrThrow();
  await publishPerson(ctx, row.userid);
  return row.userid;
}

/**
 * - LANGUAGE-10 An account that a person makes for themselves has the language of their browser, if mails can be in it.
 *   Other new accounts have that of the site.
 */
function languageOfNew({ headers, viewer, services }: Context): string {
  const accepted = viewer.userid === 0 ? acceptedLocale(headers['accept-language']) : null;
  return accepted ?? services.site.langid;
}

/** A free unique username derived from a display name: `anaruiz`, `anaruiz2` … */
export async function deriveUniqueUsername(db: Db, username: string): Promise<string> {
  const plain = username
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '')
    .slice(0, 30);
  const stem = /^[a-z0-9]/.test(plain) && plain.length > 1 ? plain : `user${plain}`;
  const taken = await db
    .selectFrom('account_names')
    .select('value')
    .where('kind', '=', 'unique_username')
    .where(startsWith(db, 'value', stem))
    .execute();
  const names = new Set(taken.map((row) => row.value));
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? stem : `${stem}${count}`;
    if (!names.has(candidate)) return candidate;
  }
}

const taken = {
  email: 'This e-mail address has an account already, or had one',
  unique_username: 'This name is taken, or was',
  sso_userid: 'This single sign-on id belongs to another account, or did',
};

/**
 * Throws 422 for a value that another account has or had, so that people cannot be confused (21 CFR 11.100).
 *
 * - USER-8 An e-mail address, a unique username and a single sign-on id that an account ever had never become another
 *   account's. Userids are never reused.
 */
export async function refuseTaken(
  ctx: Context,
  column: keyof typeof taken,
  value: string,
  except = 0,
): Promise<void> {
  if (await isTaken(ctx.db, column, value, except)) throw invalid(column, taken[column]);
}

/** Whether an account other than `except` has or had a name; addresses in lower case. */
export async function isTaken(
  db: Db,
  column: keyof typeof taken,
  value: string,
  except = 0,
): Promise<boolean> {
  const other = await db
    .selectFrom('account_names')
    .select('userid')
    .where('kind', '=', column)
    .where('value', '=', value)
    .where('userid', '!=', except)
    .executeTakeFirst();
  return other !== undefined;
}

/** Publishes the person's facts to everyone, and private facts to the person. */
export async function publishPerson(ctx: Context, userid: number): Promise<void> {
  const { privileges } = await publishProfile(ctx, userid);
  const { email } = await ctx.db
    .selectFrom('users')
    .select('email')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  const flags = userFlagRecords(privileges).map(({ flagid, title, text }) => ({ flagid, title, text }));
  ctx.changes.put('viewer', `me:${userid}`, { kind: 'me', userid, email: email ?? '', privileges, flags }, [
    `user:${userid}`,
  ]);
}

/**
 * Publishes the public facts of a person, including merits that waited for publication.
 *
 * - PEOPLE-14 When another person, or the server, publishes a profile again, it shows no picture that its writer could
 *   not show.
 */
export async function publishProfile(ctx: Context, userid: number): Promise<PersonFacts> {
  const person = must(await findPerson(ctx.db, userid), 'the user');
  const counted = { ...person, badge_counts: await badgeCounts(ctx.db, userid) };
  ctx.changes.put('people', `user:${userid}`, counted, peopleAudience());
  await ctx.db.deleteFrom('unpublished_merits').where('userid', '=', userid).execute();
  return person;
}
