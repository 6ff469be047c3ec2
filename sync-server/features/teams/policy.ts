import { timingSafeEqual, createHash } from 'node:crypto';

import { forbidden, notFound } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { findPerson } from '../users/store.ts';
import { mustFindTeam, type TeamOfServer } from './facts.ts';

/** 403 for those who may not found teams, and for others than administrators who would give one to somebody else. */
export function mustCreateTeam(ctx: Context, { owner }: Readonly<Record<string, unknown>>): void {
  if (!can(ctx.viewer, 'team.create', null)) throw forbidden('Only authors found teams', editors);
  const isForOthers = owner !== undefined && owner !== ctx.viewer.userid;
  if (isForOthers && !can(ctx.viewer, 'team.chooseOwner', null))
    throw forbidden('Only an administrator founds a team for others', ['Admin']);
}

/** The team; 404 when there is none, 403 for everybody but its owner and administrators. */
export async function mustManageTeam(ctx: Context, teamid: number): Promise<TeamOfServer> {
  const team = await mustFindTeam(ctx, teamid);
  if (!can(ctx.viewer, 'team.manage', team.facts))
    throw forbidden('Only its owner or an administrator changes a team', ['Admin']);
  return team;
}

/** 404 when there is no such team, 403 for those who have nothing to do with it. */
export async function mustSeeAssignments(ctx: Context, teamid: number): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if (!can(ctx.viewer, 'team.seeAssignments', facts))
    throw forbidden('Only members of a team see its courses', ['Admin']);
}

interface Membership {
  teamid: number;
  userid: number;
}

/** 404 when team or person are missing; 403 when the viewer could not add the person whatever the code. */
export async function mayAddMember(ctx: Context, { teamid, userid }: Membership): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if ((await findPerson(ctx.db, userid)) === undefined) throw notFound('User');
  if (!can(ctx.viewer, 'team.addMember', { team: facts, userid, code: true }))
    throw forbidden('Only its owner or an administrator adds others to a team', ['Admin']);
}

/** 403 when the code is not the team's; a team without one is joined by invitation only. */
export async function mustAddMember(
  ctx: Context,
  { teamid, userid }: Membership,
  joinCode: string | undefined,
): Promise<void> {
  const team = await mustFindTeam(ctx, teamid);
  const code = joinCode !== undefined && team.joinCode !== null && isSame(joinCode, team.joinCode);
  if (!can(ctx.viewer, 'team.addMember', { team: team.facts, userid, code }))
    throw forbidden('The join code is not the one of this team', ['Admin']);
}

/** 404 when team or membership are missing; 403 for somebody else's membership. */
export async function mustRemoveMember(ctx: Context, { teamid, userid }: Membership): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if (!facts.members.includes(userid)) throw notFound('Member');
  if (!can(ctx.viewer, 'team.removeMember', { team: facts, userid }))
    throw forbidden('Only its owner or an administrator removes others from a team', ['Admin']);
}

/** Compares without telling by its duration how much is right. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
