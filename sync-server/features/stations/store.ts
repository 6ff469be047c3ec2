import { sql } from 'kysely';

import type { NewStation, StationEdit } from '#shared/api/stations.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import type { StationArrival } from '#shared/model/station.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { codeAlphabet, codeLength, codeSeconds, exitCodeLength, shownCode } from '#shared/rules/stations.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';

import { addMember, setTeams } from '../teams/members.ts';
import { createAccount, publishPerson } from '../users/store.ts';
import { followStation, stationPrivileges } from './people.ts';
import { mustBePerson } from './policy.ts';
import { settingsOf } from './record.ts';
import { entryHash, seal } from './verifiers.ts';

/** Makes a station with its account, teams and people. Returns its id. Throws 422 for a team or person that is missing. */
export async function createStation(
  ctx: Context,
  { name, place = '', teams = [], people = [], settings = {} }: NewStation,
): Promise<number> {
  const stationid = await createAccount(ctx, {
    username: name,
    email: null,
    passwordHash: null,
    privileges: stationPrivileges,
    accessBy: mustUserid(ctx),
  });
  const complete = settingsOf({ settings: JSON.stringify(withoutUndefined(settings)) });
  await ctx.db
    .insertInto('stations')
    .values({
      stationid,
      place,
      settings: JSON.stringify(complete),
      created_date: ctx.seconds,
      code_hash: null,
      code_expires: null,
      token_hash: null,
      secret: null,
      enrolled_date: null,
      revoked_date: null,
      device: null,
      app_version: null,
      contact_date: null,
      waiting: null,
      waiting_since: null,
      failed_tries: null,
      exit_sealed: null,
    })
    .execute();
  await joinTeams(ctx, stationid, teams);
  for (const userid of new Set(people)) {
    await mustBePerson(ctx, userid, 'people');
    await ctx.db.insertInto('station_named').values({ stationid, userid }).execute();
  }
  await followStation(ctx, stationid);
  return stationid;
}

async function joinTeams(ctx: Context, stationid: number, teams: readonly number[]): Promise<void> {
  for (const teamid of new Set(teams)) {
    const team = await ctx.db
      .selectFrom('teams')
      .select('teamid')
      .where('teamid', '=', teamid)
      .executeTakeFirst();
    if (team === undefined) throw invalid('teams', `There is no team ${teamid}`);
    await addMember(ctx, teamid, stationid);
  }
}

/** Applies an edit of a station. Throws 422 for a team that does not exist. */
export async function editStation(
  ctx: Context,
  stationid: number,
  { name, place, teams, settings }: StationEdit,
): Promise<void> {
  const before = await ctx.db
    .selectFrom('stations')
    .selectAll()
    .where('stationid', '=', stationid)
    .executeTakeFirstOrThrow();
  const next = settingsOf({
    settings: JSON.stringify({ ...settingsOf(before), ...withoutUndefined(settings ?? {}) }),
  });
  await ctx.db
    .updateTable('stations')
    .set({ place: place ?? before.place, settings: JSON.stringify(next) })
    .where('stationid', '=', stationid)
    .execute();
  if (teams !== undefined) {
    await setTeams(ctx, stationid, teams);
    await followStation(ctx, stationid);
  }
  if (name !== undefined) {
    await ctx.db
      .updateTable('users')
      .set({ username: name, username_search: searchName(name) })
      .where('userid', '=', stationid)
      .execute();
    await publishPerson(ctx, stationid);
  }
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The code that ends station mode, and its hash. */
interface ExitCode {
  code: string;
  hash: string;
}

/**
 * A new exit code, outside of a transaction.
 *
 * - STATION-18 With each enrolment code comes a code of eight digits that ends station mode on the device, without a network
 *   too. The server keeps it as it keeps a PIN, shows it once, and takes it from nobody: only the station checks it. The next
 *   one replaces it.
 */
export async function newExitCode(ctx: Context): Promise<ExitCode> {
  const number = Buffer.from(ctx.services.randomBytes(8)).readBigUInt64BE() % 10n ** BigInt(exitCodeLength);
  const code = String(number).padStart(exitCodeLength, '0');
  return { code, hash: await entryHash(ctx, 'exit', code) };
}

/**
 * Makes an enrolment code. Earlier ones of the station end.
 *
 * - STATION-1 A code has ten letters and digits, works once and for 15 minutes, and is stored as a hash with the key of the
 *   server. Making a station or a code needs the password of the administrator, because the device then acts for people.
 */
export async function makeCode(
  ctx: Context,
  stationid: number,
  exit: ExitCode,
): Promise<{ enrolment_code: string; code_expires_date: number; exit_code: string }> {
  const code = Array.from(
    ctx.services.randomBytes(codeLength),
    (byte) => codeAlphabet[byte % codeAlphabet.length] ?? '',
  ).join('');
  const key = await ctx.services.identity.key();
  const code_expires_date = ctx.seconds + codeSeconds;
  await ctx.db
    .updateTable('stations')
    .set({
      code_hash: key.secretHash(`enrolment code ${code}`),
      code_expires: code_expires_date,
      exit_sealed: await seal(ctx, 'exit', exit.hash, stationid),
    })
    .where('stationid', '=', stationid)
    .execute();
  return { enrolment_code: shownCode(code), code_expires_date, exit_code: exit.code };
}

/** Records the decision about what a station still holds in the name of a former member. Throws 404 if nothing waits. */
export async function decideFormer(
  ctx: Context,
  { stationid, userid }: { stationid: number; userid: number },
  decision: 'accepted' | 'refused',
): Promise<void> {
  const now = ctx.seconds;
  const decided = await ctx.db
    .updateTable('station_former')
    .set({
      decision,
      decided_by: mustUserid(ctx),
      // What waits since before the decision is decided.
      decided_date: sql<number>`CASE WHEN first_tried > ${now} THEN first_tried ELSE ${now} END`,
    })
    .where('stationid', '=', stationid)
    .where('userid', '=', userid)
    .returning('userid')
    .executeTakeFirst();
  if (decided === undefined) throw notFound('Member');
}

/** What arrived from a station in the name of people, newest first. `since`: UNIX seconds. */
export async function listArrivals(
  ctx: Context,
  stationid: number,
  {
    since,
    userid,
    ...page
  }: { since?: number | undefined; userid?: number | undefined; limit: number; offset: number },
): Promise<StationArrival[]> {
  let select = ctx.db
    .selectFrom('station_arrivals')
    .innerJoin('users', 'users.userid', 'station_arrivals.userid')
    .select([
      'arrivalid',
      'station_arrivals.date',
      'recorded_date',
      'station_arrivals.userid',
      'username',
      'action',
      'object',
      'objectid',
    ])
    .where('stationid', '=', stationid);
  if (since !== undefined) select = select.where('station_arrivals.date', '>=', since);
  if (userid !== undefined) select = select.where('station_arrivals.userid', '=', userid);
  return readPage(ctx, select.orderBy('arrivalid', 'desc'), page);
}
