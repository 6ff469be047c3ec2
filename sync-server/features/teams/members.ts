import { invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { UserSummary } from '#shared/model/user.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';
import { membershipsOf, principalsOf, teamsOf, type Memberships } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';

import { teamJoined } from '../merits/reputation-events.ts';
import { removeAssignmentsOfTeam } from '../courses/assignments.ts';
import { openOrdersOfTeam } from '../planned-orders/of-team.ts';
import { followMembership } from '../planned-orders/publish.ts';
import { findPeople, isStation, publishProfile } from '../users/store.ts';
import { removeWikis } from '../wikis/remove.ts';
import { versionsOf } from '../wikis/store.ts';
import { publishTeam } from './facts.ts';

/**
 * The members of a team, ordered by userid; empty if the team does not exist.
 *
 * - TEAM-15 Records of authors and members have the ids of their teams.
 */
export async function listMembers(
  ctx: Context,
  teamid: number,
  order: 'ASC' | 'DESC' = 'ASC',
): Promise<UserSummary[]> {
  const rows = await ctx.db
    .selectFrom('team_members')
    .select('userid')
    .where('teamid', '=', teamid)
    .orderBy('userid', order === 'ASC' ? 'asc' : 'desc')
    .execute();
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  return rows.flatMap(({ userid }) => {
    const person = people.get(userid);
    return person === undefined ? [] : [userSummaryRecord(person, ctx.baseUrl)];
  });
}

/**
 * Makes a person a member, if they are not.
 *
 * - TEAM-7 The first member of a team without an owner becomes its owner. A station never does.
 */
export async function addMember(ctx: Context, teamid: number, userid: number): Promise<void> {
  const before = await membershipsOf(ctx.db, userid);
  if (before.teams.includes(teamid)) return;
  await ctx.db.insertInto('team_members').values({ teamid, userid, joined_date: ctx.seconds }).execute();
  if (!(await isStation(ctx.db, userid)))
    await ctx.db
      .updateTable('teams')
      .set({ owner: userid })
      .where('teamid', '=', teamid)
      .where('owner', 'is', null)
      .execute();
  await teamJoined(ctx, userid);
  await publishTeam(ctx, teamid);
  await publishMembership(ctx, userid, before);
}

/**
 * Ends a membership; throws 404 if there is none.
 *
 * - TEAM-6 When the owner leaves, the longest-standing member who is not a station becomes owner. A team is deleted when
 *   its last member leaves, unless orders are planned for it (TEAM-18): it then stays without members and owner. One in
 *   which only stations are left has no owner.
 */
export async function removeMember(ctx: Context, teamid: number, userid: number): Promise<void> {
  const before = await membershipsOf(ctx.db, userid);
  if (!before.teams.includes(teamid)) throw notFound('Member');
  await ctx.db.deleteFrom('team_members').where('teamid', '=', teamid).where('userid', '=', userid).execute();
  const left = await ctx.db
    .selectFrom('team_members')
    .leftJoin('stations', 'stationid', 'userid')
    .select(['userid', 'stationid'])
    .where('teamid', '=', teamid)
    .orderBy('joined_date')
    .orderBy('userid')
    .execute();
  if (left.length === 0 && (await openOrdersOfTeam(ctx.db, teamid)) === 0) {
    await dropTeam(ctx, teamid);
  } else {
    const earliest = left.find(({ stationid }) => stationid === null);
    if (before.leads.includes(teamid)) await setOwner(ctx, teamid, earliest?.userid ?? null);
    await publishTeam(ctx, teamid);
  }
  await publishMembership(ctx, userid, before);
}

/**
 * Makes a member the owner of a team; null: nobody.
 *
 * - TEAM-17 The owner of a team is its lead and sees the work of its members. When the owner changes, the devices of
 *   both people gain or lose it.
 */
export async function setOwner(ctx: Context, teamid: number, userid: number | null): Promise<void> {
  const team = await ctx.db
    .selectFrom('teams')
    .select('owner')
    .where('teamid', '=', teamid)
    .executeTakeFirstOrThrow();
  const changing = [...new Set([team.owner, userid])].filter((one) => one !== null);
  const before = new Map<number, Memberships>();
  for (const one of changing) before.set(one, await membershipsOf(ctx.db, one));
  await ctx.db.updateTable('teams').set({ owner: userid }).where('teamid', '=', teamid).execute();
  // The change of a person who leaves is published with their membership.
  for (const [one, memberships] of before)
    if (memberships.teams.includes(teamid)) await publishMembership(ctx, one, memberships);
}

/** Makes a person a member of exactly these teams; throws 422 for a team that does not exist. */
export async function setTeams(ctx: Context, userid: number, teamids: number[]): Promise<void> {
  const wanted = new Set(teamids);
  const before = await teamsOf(ctx.db, userid);
  for (const teamid of wanted) {
    if (before.includes(teamid)) continue;
    const team = await ctx.db
      .selectFrom('teams')
      .select('teamid')
      .where('teamid', '=', teamid)
      .executeTakeFirst();
    if (team === undefined) throw invalid('teams', `There is no team ${teamid}`);
    await addMember(ctx, teamid, userid);
  }
  for (const teamid of before) if (!wanted.has(teamid)) await removeMember(ctx, teamid, userid);
}

/**
 * Deletes a team. Throws 409 `team-has-planned-orders` while orders are planned for it.
 *
 * - TEAM-18 A team for which open work orders are planned cannot be deleted: nobody would see them. The refusal says how
 *   many there are, and what to do.
 * - TEAM-13 A deleted team disappears for everyone, with its page, attributes and course assignments.
 */
export async function removeTeam(ctx: Context, teamid: number): Promise<void> {
  const open = await openOrdersOfTeam(ctx.db, teamid);
  if (open > 0)
    throw new Problem(
      'conflict',
      `${open === 1 ? 'One open work order is' : `${open} open work orders are`} planned for this team. Withdraw them or plan them for somebody else, then delete the team`,
      { code: 'team-has-planned-orders' },
    );
  const members = await ctx.db
    .selectFrom('team_members')
    .select('userid')
    .where('teamid', '=', teamid)
    .execute();
  const before = new Map<number, Memberships>();
  for (const { userid } of members) before.set(userid, await membershipsOf(ctx.db, userid));
  await ctx.db.deleteFrom('team_members').where('teamid', '=', teamid).execute();
  await dropTeam(ctx, teamid);
  for (const [userid, memberships] of before) await publishMembership(ctx, userid, memberships);
}

async function dropTeam(ctx: Context, teamid: number): Promise<void> {
  await ctx.db.deleteFrom('team_attributes').where('teamid', '=', teamid).execute();
  await removeAssignmentsOfTeam(ctx, teamid);
  await removeWikis(ctx, await versionsOf(ctx.db, 'TEAM', String(teamid)));
  await ctx.db.deleteFrom('teams').where('teamid', '=', teamid).execute();
  ctx.changes.remove('people', `team:${teamid}`);
}

/**
 * Publishes a change of membership.
 *
 * - TEAM-12 A change of membership adds records that the team may see to the person's devices, or removes them, and
 *   publishes the team and the person to everyone.
 */
export async function publishMembership(ctx: Context, userid: number, before: Memberships): Promise<void> {
  const { privileges } = await publishProfile(ctx, userid);
  await followMembership(ctx, userid);
  ctx.changes.access(
    userid,
    principalsOf(userid, privileges, before),
    principalsOf(userid, privileges, await membershipsOf(ctx.db, userid)),
  );
}
