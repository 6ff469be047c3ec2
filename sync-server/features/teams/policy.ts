import { createHash, timingSafeEqual } from 'node:crypto';

import { Problem, forbidden, notFound } from '#shared/api/problem.ts';
import { can } from './access.ts';
import { editors } from '#server/core/roles.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { hashToken } from '#server/core/sessions.ts';

import { findPerson, isStation } from '../users/store.ts';
import { countAttempt } from '../tokens/attempts.ts';
import { forgetFailures, refuseWhileThrottled } from '../tokens/throttle.ts';
import { mustFindTeam, type TeamOfServer } from './facts.ts';

/** Throws 403 for callers who may not create teams, and for non-administrators who name another owner. */
export function mustCreateTeam(ctx: Context, { owner }: Readonly<Record<string, unknown>>): void {
  if (!can(ctx.viewer, 'team.create', null)) throw forbidden('Only authors found teams', editors);
  const isForOthers = owner !== undefined && owner !== ctx.viewer.userid;
  if (isForOthers && !can(ctx.viewer, 'team.chooseOwner', null))
    throw forbidden('Only an administrator founds a team for others', ['Admin']);
}

/** The team; throws 404 if it does not exist, 403 unless the caller is its owner or an administrator. */
export async function mustManageTeam(ctx: Context, teamid: number): Promise<TeamOfServer> {
  const team = await mustFindTeam(ctx, teamid);
  if (!can(ctx.viewer, 'team.manage', team.facts))
    throw forbidden('Only its owner or an administrator changes a team', ['Admin']);
  return team;
}

/**
 * Throws 404 if the team does not exist, 403 if the caller may not see its courses.
 *
 * - TEAM-11 The courses of a team are shown to its members, its owner and administrators.
 */
export async function mustSeeAssignments(ctx: Context, teamid: number): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if (!can(ctx.viewer, 'team.seeAssignments', facts))
    throw forbidden('Only members of a team see its courses', ['Admin']);
}

interface Membership {
  teamid: number;
  userid: number;
}

/**
 * Throws 404 or 403 if the viewer could not add the person with any code.
 *
 * - TEAM-4 The order of refusals is 404 for a missing team or person, then 403, then 422.
 */
export async function mayAddMember(ctx: Context, { teamid, userid }: Membership): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if ((await findPerson(ctx.db, userid)) === undefined) throw notFound('User');
  await mayAddStation(ctx, userid);
  if (!can(ctx.viewer, 'team.addMember', { team: facts, userid, code: true }))
    throw forbidden('Only its owner or an administrator adds others to a team', ['Admin']);
}

/**
 * Throws 403 if the account is that of a station and the caller is no administrator.
 *
 * - STATION-19 Only administrators put a station into a team. Its people and the lead of the team then get a say in it, and
 *   authors found teams as they like.
 */
async function mayAddStation(ctx: Context, userid: number): Promise<void> {
  if (!can(ctx.viewer, 'team.addStation', null) && (await isStation(ctx.db, userid)))
    throw forbidden('Only an administrator puts a station into a team', ['Admin']);
}

/**
 * Throws 403 if the code is wrong.
 *
 * - TEAM-2 People who know the join code can join a team, for themselves only. A member stays a member with any code.
 * - TEAM-3 People join a team without a join code by invitation of its owner or an administrator only, because members
 *   see what is shared with the team.
 */
export async function mustAddMember(
  ctx: Context,
  { teamid, userid }: Membership,
  joinCode: string | undefined,
): Promise<void> {
  const team = await mustFindTeam(ctx, teamid);
  await mayAddStation(ctx, userid);
  const code = joinCode !== undefined && team.joinCode !== null && isSame(joinCode, team.joinCode);
  if (!can(ctx.viewer, 'team.addMember', { team: team.facts, userid, code }))
    throw forbidden('The join code is not the one of this team', ['Admin']);
}

/**
 * Throws 404 if the team or the membership does not exist, 403 if the caller may not end it.
 *
 * - TEAM-5 The owner and administrators remove others. Everyone can leave.
 */
export async function mustRemoveMember(ctx: Context, { teamid, userid }: Membership): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  if (!facts.members.includes(userid)) throw notFound('Member');
  if (!can(ctx.viewer, 'team.removeMember', { team: facts, userid }))
    throw forbidden('Only its owner or an administrator removes others from a team', ['Admin']);
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/**
 * Runs `join`, which throws 403 for a wrong code, and counts wrong codes.
 *
 * - TEAM-16 People who guess join codes must wait longer and longer between guesses (429), as at sign-in. The right
 *   code works only after the wait.
 */
export async function withGuessesCounted<T>(
  ctx: Context,
  teamid: number,
  code: string | null | undefined,
  join: () => Promise<T>,
): Promise<T> {
  if (code === undefined || code === null || code === '') return join();
  const { services, viewer, address } = ctx;
  const action = 'PUT /teams/{teamid}/users/{userid}';
  const { userid, username: name, impersonator } = viewer;
  const origin = { userid, name, impersonator, action, address };
  const subject = hashToken(`join code of team ${teamid} by ${mustUserid(ctx)}`);
  return services.passwords.inTurn(subject, async () => {
    await refuseWhileThrottled(ctx, subject);
    const joined = await join().catch(async (error: unknown) => {
      const isWrong = error instanceof Problem && error.kind === 'forbidden';
      if (isWrong)
        await countAttempt(ctx, {
          limits: [{ subject }],
          action,
          object: { kind: 'team', id: String(teamid) },
        });
      throw error;
    });
    await services.storage.write(origin, (tx) => forgetFailures(tx, subject));
    return joined;
  });
}
