import type { ProfileEdit } from '#shared/api/users.ts';
import { notFound, Problem, invalid } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { PersonFacts, User, UserSummary } from '#shared/model/user.ts';
import { userRecord, userSummaryRecord } from '#shared/rules/people.ts';
import { plainContext } from '#shared/wikitext/context.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/http/context.ts';
import { principalsOf, teamsOf } from '#server/http/auth.ts';
import { findDocument, findDocuments, type Principal } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db } from '#server/storage/tables.ts';

import { userFlagRecords } from '../guides/flags.ts';

/** Everybody signed in may see who is there; on a public site everybody. */
const peopleAudience: Principal[] = ['public', 'members'];

/** The person as facts; 404 when there is none. */
export async function readPerson(db: Db, userid: number): Promise<PersonFacts> {
  const person = await findPerson(db, userid);
  if (person === undefined) throw notFound('User');
  return person;
}

export async function findPerson(db: Db, userid: number): Promise<PersonFacts | undefined> {
  const facts = await findDocument(db, 'people', `user:${userid}`);
  return facts?.kind === 'user' ? facts : undefined;
}

/** Several people by id. */
export async function findPeople(db: Db, userids: number[]): Promise<Map<number, PersonFacts>> {
  const facts = await findDocuments(
    db,
    'people',
    [...new Set(userids)].map((userid) => `user:${userid}`),
  );
  return new Map(facts.flatMap((one) => (one.kind === 'user' ? [[one.userid, one] as const] : [])));
}

/** The record of `GET /user`: with `authToken` when the caller's own token is known (existing apps read it there). */
export async function readOwnRecord(ctx: Context, userid: number): Promise<User> {
  const person = await readPerson(ctx.db, userid);
  const row = await ctx.db
    .selectFrom('users')
    .select('langid')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  const token = /^(?:api|bearer) +(\S+)$/i.exec(ctx.headers['authorization'] ?? '')?.[1];
  const record = {
    ...userRecord(person, ctx.baseUrl, plainContext),
    langid: row.langid,
    unread_notification_count: 0,
  };
  return token === undefined || ctx.viewer.userid !== userid ? record : { ...record, authToken: token };
}

export async function readProfile(ctx: Context, userid: number): Promise<User> {
  return userRecord(await readPerson(ctx.db, userid), ctx.baseUrl, plainContext);
}

/** A profile as the answer of an edit: with what only its owner sees, for its owner. */
export async function representUser(ctx: Context, userid: number): Promise<User> {
  return userid === ctx.viewer.userid ? readOwnRecord(ctx, userid) : readProfile(ctx, userid);
}

export async function listUsers(
  ctx: Context,
  query: { order: 'ASC' | 'DESC'; limit: number; offset: number; joinedSince?: number | undefined },
): Promise<UserSummary[]> {
  let select = ctx.db.selectFrom('users').select('userid').where('enabled', '=', 1);
  if (query.joinedSince !== undefined) select = select.where('join_date', '>=', query.joinedSince);
  const rows = await readPage(ctx, select.orderBy('userid', query.order === 'ASC' ? 'asc' : 'desc'), query);
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  return rows.flatMap(({ userid }) => {
    const person = people.get(userid);
    return person === undefined ? [] : [userSummaryRecord(person, ctx.baseUrl)];
  });
}

interface NewAccount {
  username: string;
  unique_username?: string | undefined;
  email: string | null;
  passwordHash: string | null;
  privileges: string[];
  userid?: number;
  joinDate?: number;
  reputation?: number;
  image?: ImageRef | null;
  enabled?: boolean;
  about?: string;
  location?: string | null;
}

/** Creates an account; 422 when e-mail or unique username are taken. Returns the userid. */
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
      unique_username: unique ?? null,
      email,
      password_hash: account.passwordHash,
      privileges: JSON.stringify(account.privileges),
      join_date: account.joinDate ?? ctx.seconds,
      reputation: account.reputation ?? 1,
      image: account.image == null ? null : JSON.stringify(account.image),
      summary: null,
      about_raw: account.about ?? '',
      location: account.location ?? null,
      latitude: null,
      longitude: null,
      langid: ctx.services.site.langid,
      enabled: account.enabled === false ? 0 : 1,
    })
    .returning('userid')
    .executeTakeFirstOrThrow();
  await publishPerson(ctx, row.userid);
  return row.userid;
}

/** A free unique username made from a display name: `anaruiz`, `anaruiz2` … */
export async function deriveUniqueUsername(db: Db, username: string): Promise<string> {
  const plain = username
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '')
    .slice(0, 30);
  const stem = /^[a-z0-9]/.test(plain) && plain.length > 1 ? plain : `user${plain}`;
  const taken = await db
    .selectFrom('users')
    .select('unique_username')
    .where('unique_username', 'like', `${stem}%`)
    .execute();
  const names = new Set(taken.map((row) => row.unique_username));
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? stem : `${stem}${count}`;
    if (!names.has(candidate)) return candidate;
  }
}

async function refuseTaken(
  ctx: Context,
  column: 'email' | 'unique_username',
  value: string,
  except = 0,
): Promise<void> {
  const taken = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where(column, '=', value)
    .where('userid', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined)
    throw invalid(
      column,
      column === 'email' ? 'This e-mail address has an account already' : 'This name is taken',
    );
}

/** Applies a profile edit. `image` was resolved and the password hashed by the caller. */
export async function editProfile(
  ctx: Context,
  userid: number,
  edit: Omit<ProfileEdit, 'password' | 'image'> & {
    passwordHash?: string | undefined;
    image?: ImageRef | null | undefined;
  },
): Promise<void> {
  const before = await ctx.db.selectFrom('users').selectAll().where('userid', '=', userid).executeTakeFirst();
  if (before === undefined) throw notFound('User');
  if (edit.email !== undefined) await refuseTaken(ctx, 'email', edit.email.toLowerCase(), userid);
  if (edit.unique_username != null) await refuseTaken(ctx, 'unique_username', edit.unique_username, userid);
  const privileges =
    edit.privileges === undefined
      ? before.privileges
      : JSON.stringify([...new Set(['User', ...edit.privileges])]);
  await refuseLastAdmin(ctx, userid, privileges, edit.enabled ?? before.enabled === 1);
  await ctx.db
    .updateTable('users')
    .set({
      email: edit.email?.toLowerCase() ?? before.email,
      username: edit.username ?? before.username,
      unique_username: edit.unique_username === undefined ? before.unique_username : edit.unique_username,
      password_hash: edit.passwordHash ?? before.password_hash,
      image:
        edit.image === undefined ? before.image : edit.image === null ? null : JSON.stringify(edit.image),
      summary: edit.summary === undefined ? before.summary : edit.summary,
      about_raw: edit.about ?? before.about_raw,
      location: edit.location === undefined ? before.location : edit.location,
      latitude: edit.latitude === undefined ? before.latitude : edit.latitude,
      longitude: edit.longitude === undefined ? before.longitude : edit.longitude,
      langid: edit.langid ?? before.langid,
      privileges,
      enabled: (edit.enabled ?? before.enabled === 1) ? 1 : 0,
    })
    .where('userid', '=', userid)
    .execute();
  if (edit.passwordHash !== undefined || edit.enabled === false) await endOtherTokens(ctx, userid);
  if (privileges !== before.privileges) await publishAccess(ctx, userid, before.privileges, privileges);
  await publishPerson(ctx, userid);
}

async function endOtherTokens(ctx: Context, userid: number): Promise<void> {
  await ctx.db
    .deleteFrom('tokens')
    .where('userid', '=', userid)
    .where('token_hash', '!=', ctx.viewer.tokenHash ?? '')
    .execute();
}

async function publishAccess(ctx: Context, userid: number, before: string, after: string): Promise<void> {
  const teams = await teamsOf(ctx.db, userid);
  const isAdmin = (privileges: string): boolean => (JSON.parse(privileges) as string[]).includes('Admin');
  ctx.changes.access(
    userid,
    principalsOf(userid, isAdmin(before), teams),
    principalsOf(userid, isAdmin(after), teams),
  );
}

async function refuseLastAdmin(
  ctx: Context,
  userid: number,
  privileges: string,
  enabled: boolean,
): Promise<void> {
  if (enabled && (JSON.parse(privileges) as string[]).includes('Admin')) return;
  const admins = await ctx.db
    .selectFrom('users')
    .select('userid')
    .where('enabled', '=', 1)
    .where('privileges', 'like', '%"Admin"%')
    .execute();
  if (admins.length === 1 && admins[0]?.userid === userid)
    throw new Problem('forbidden', 'The last administrator cannot step down');
}

/** Publishes the person's facts, and to the person alone what is theirs. */
export async function publishPerson(ctx: Context, userid: number): Promise<void> {
  const row = must(
    await ctx.db.selectFrom('users').selectAll().where('userid', '=', userid).executeTakeFirst(),
    'the user',
  );
  const privileges = JSON.parse(row.privileges) as string[];
  const facts: PersonFacts = {
    kind: 'user',
    userid,
    username: row.username,
    unique_username: row.unique_username,
    join_date: row.join_date,
    image: row.image === null ? null : (JSON.parse(row.image) as ImageRef),
    reputation: row.reputation,
    teams: await teamsOf(ctx.db, userid),
    privileges,
    summary: row.summary,
    about_raw: row.about_raw,
    location: row.location,
    latitude: row.latitude,
    longitude: row.longitude,
    enabled: row.enabled === 1,
  };
  ctx.changes.put('people', `user:${userid}`, facts, peopleAudience);
  const flags = userFlagRecords(privileges).map(({ flagid, title, text }) => ({ flagid, title, text }));
  ctx.changes.put(
    'viewer',
    `me:${userid}`,
    { kind: 'me', userid, email: row.email ?? '', privileges, flags },
    [`user:${userid}`],
  );
}

/** Publishes a team and the membership of its members. */
export async function publishTeam(ctx: Context, teamid: number): Promise<void> {
  const row = must(
    await ctx.db.selectFrom('teams').selectAll().where('teamid', '=', teamid).executeTakeFirst(),
    'the team',
  );
  const members = await ctx.db
    .selectFrom('team_members')
    .selectAll()
    .where('teamid', '=', teamid)
    .orderBy('userid')
    .execute();
  ctx.changes.put(
    'people',
    `team:${teamid}`,
    {
      kind: 'team',
      teamid,
      name: row.name,
      description: row.description,
      owner: row.owner,
      image: null,
      location: null,
      latitude: null,
      longitude: null,
      members: members.map((member) => member.userid),
      new_member_since: Math.max(row.created_date, ...members.map((member) => member.joined_date)),
    },
    peopleAudience,
  );
}
