import type { Selectable } from 'kysely';

import { notFound } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { TeamFacts } from '#shared/model/user.ts';
import { peopleAudience } from '#server/features/users/access.ts';
import type { Context } from '#server/core/context.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** A team with fields that are not synced. */
export interface TeamOfServer {
  facts: TeamFacts;
  /** The sum of its members' reputation. */
  reputation: number;
  joinCode: string | null;
}

type Row = Selectable<Tables['teams']>;

/** The team; throws 404 if it does not exist. */
export async function mustFindTeam(ctx: Context, teamid: number): Promise<TeamOfServer> {
  const row = await ctx.db.selectFrom('teams').selectAll().where('teamid', '=', teamid).executeTakeFirst();
  const [team] = row === undefined ? [] : await teamsOfRows(ctx.db, [row]);
  if (team === undefined) throw notFound('Team');
  return team;
}

/**
 * Teams with their members, in the order of `rows`.
 *
 * - TEAM-8 The reputation of a team is the current sum of its members' reputation.
 */
export async function teamsOfRows(db: Db, rows: Row[]): Promise<TeamOfServer[]> {
  if (rows.length === 0) return [];
  const all = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.userid', 'team_members.userid')
    .select(['teamid', 'users.userid', 'joined_date', 'reputation'])
    .where(
      'teamid',
      'in',
      rows.map((row) => row.teamid),
    )
    .orderBy('users.userid')
    .execute();
  const byTeam = Map.groupBy(all, (member) => member.teamid);
  return rows.map((row) => {
    const members = byTeam.get(row.teamid) ?? [];
    return {
      facts: {
        kind: 'team',
        teamid: row.teamid,
        name: row.name,
        description: row.description,
        owner: row.owner,
        image: row.image === null ? null : (JSON.parse(row.image) as ImageRef),
        location: row.location,
        latitude: row.latitude,
        longitude: row.longitude,
        members: members.map((member) => member.userid),
        new_member_since: members.reduce(
          (last, member) => Math.max(last, member.joined_date),
          row.created_date,
        ),
      },
      reputation: members.reduce((sum, member) => sum + member.reputation, 0),
      joinCode: row.join_code,
    };
  });
}

/** Publishes a team with its members. */
export async function publishTeam(ctx: Context, teamid: number): Promise<void> {
  const { facts } = await mustFindTeam(ctx, teamid);
  ctx.changes.put('people', `team:${teamid}`, facts, peopleAudience());
}
