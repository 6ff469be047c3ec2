import { forbidden, invalid, notFound } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import { teamsOf } from '#server/core/viewer.ts';

import { findPerson, isStation } from '../users/store.ts';
import { can } from './access.ts';

/** Throws 403 for everybody but administrators. */
export function mustGovern(ctx: Context): void {
  if (!can(ctx.viewer, 'station.govern', null))
    throw forbidden('Only an administrator makes and changes stations', ['Admin']);
}

/** Throws the same 404 if the station does not exist or may not be seen. */
export async function mustSeeStation(ctx: Context, stationid: number): Promise<void> {
  const exists = await isStation(ctx.db, stationid);
  if (!exists || !can(ctx.viewer, 'station.see', { teams: await teamsOf(ctx.db, stationid) }))
    throw notFound('Station');
}

/** Throws 404 as above, 403 for a lead, who sees the station but does not change it. */
export async function mustGovernStation(ctx: Context, stationid: number): Promise<void> {
  await mustSeeStation(ctx, stationid);
  mustGovern(ctx);
}

/** Throws 404 as above, 403 unless the caller decides about people of the station. */
export async function mustArrange(ctx: Context, stationid: number): Promise<void> {
  await mustSeeStation(ctx, stationid);
  if (!can(ctx.viewer, 'station.arrange', { teams: await teamsOf(ctx.db, stationid) }))
    throw forbidden('Only a lead of a team of this station does this', ['Admin']);
}

/** Throws 404 for a missing station or person, 403 for a person who is in no team of the caller. */
export async function mayAddPerson(ctx: Context, stationid: number, userid: number): Promise<void> {
  await mustSeeStation(ctx, stationid);
  await mustExist(ctx, userid);
  const [station, person] = [
    { teams: await teamsOf(ctx.db, stationid) },
    { teams: await teamsOf(ctx.db, userid) },
  ];
  if (!can(ctx.viewer, 'station.addPerson', { station, person }))
    throw forbidden('A lead adds people of their own teams', ['Admin']);
}

/** Throws 404 unless the account is that of a person. */
async function mustExist(ctx: Context, userid: number): Promise<void> {
  const person = await findPerson(ctx.db, userid);
  if (person === undefined) throw notFound('User');
}

/** Throws 422 for the account of a kiosk or a station, whose user is unknown. */
export async function mustBePerson(ctx: Context, userid: number, field: string): Promise<void> {
  const person = await findPerson(ctx.db, userid);
  if (person === undefined) throw invalid(field, `There is no user ${userid}`);
  if (person.privileges.includes('Kiosk')) throw invalid(field, 'This is a kiosk, not a person');
}

/**
 * Throws 404 for a missing person, 403 unless the caller is the person, a lead of theirs or an administrator: who may see
 * how the person signs in at stations.
 */
export async function mustSeeAccess(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'stationAccess.see', { userid, teams: await teamsOf(ctx.db, userid) }))
    throw forbidden('Only a lead of a team of this person sees this', ['Admin']);
}

/**
 * Throws 404 for a missing person, 403 unless the caller sets and removes the PIN of the person, and revokes their badges.
 */
export async function mustManageAccess(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'stationAccess.manage', { userid, ...(await standingOf(ctx, userid)) }))
    throw onlyLeads();
}

/** Throws 404 for a missing person, 403 unless the caller issues badges to the person. */
export async function mustIssue(ctx: Context, userid: number): Promise<void> {
  await mustExist(ctx, userid);
  if (!can(ctx.viewer, 'stationAccess.issue', await standingOf(ctx, userid))) throw onlyLeads();
}

function onlyLeads() {
  return forbidden('Only a lead of a team of this person that is at one of their stations does this', [
    'Admin',
  ]);
}

/** The teams of a person, and those of the stations that they are of. */
async function standingOf(
  { db }: Context,
  userid: number,
): Promise<{ teams: number[]; stationTeams: number[] }> {
  const rows = await db
    .selectFrom('station_members')
    .innerJoin('team_members', 'team_members.userid', 'station_members.stationid')
    .select('teamid')
    .distinct()
    .where('station_members.userid', '=', userid)
    .where('until', 'is', null)
    .execute();
  return { teams: await teamsOf(db, userid), stationTeams: rows.map(({ teamid }) => teamid) };
}
