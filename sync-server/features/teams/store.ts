import type { NewTeam, TeamEdit } from '#shared/api/teams.ts';
import { invalid } from '#shared/api/problem.ts';
import type { Team, TeamAttribute } from '#shared/model/team.ts';
import { teamRecord } from '#shared/rules/people.ts';
import { can } from './access.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';

import { ownImage } from '../media/manager.ts';
import { findPerson, isStation } from '../users/store.ts';
import { mustFindTeam, publishTeam, teamsOfRows, type TeamOfServer } from './facts.ts';
import { addMember, setOwner } from './members.ts';

/**
 * Teams ordered by teamid.
 *
 * - TEAM-9 The list of teams is complete unless a page is requested. `newMemberSince` selects teams with members who
 *   joined since then.
 */
export async function listTeams(
  ctx: Context,
  query: {
    order: 'ASC' | 'DESC';
    newMemberSince?: number | undefined;
    offset: number;
    limit?: number | undefined;
  },
): Promise<Team[]> {
  const { newMemberSince: since, offset, limit } = query;
  let select = ctx.db.selectFrom('teams').selectAll();
  if (since !== undefined) {
    const joined = ctx.db.selectFrom('team_members').select('teamid').where('joined_date', '>=', since);
    select = select.where('teamid', 'in', joined);
  }
  const sorted = select.orderBy('teamid', query.order === 'ASC' ? 'asc' : 'desc');
  const rows = await readPage(ctx, sorted, { offset, limit: limit ?? Number.MAX_SAFE_INTEGER });
  return (await teamsOfRows(ctx.db, rows)).map((team) => recordOf(ctx, team));
}

/** A team as a record, with the join code for people who manage it. */
export async function representTeam(ctx: Context, teamid: number): Promise<Team> {
  return recordOf(ctx, await mustFindTeam(ctx, teamid));
}

function recordOf(ctx: Context, { facts, reputation, joinCode }: TeamOfServer): Team {
  const record = teamRecord(facts, reputation, ctx.baseUrl);
  return can(ctx.viewer, 'team.manage', facts) ? { ...record, join_code: joinCode } : record;
}

/**
 * Creates a team. Returns the teamid.
 *
 * - TEAM-1 Site authors create teams. The creator is the first member and the owner; an administrator may name another
 *   owner, or none.
 */
export async function createTeam(ctx: Context, body: NewTeam): Promise<number> {
  const { owner, attributes, image, name, ...fields } = body;
  const first = owner === undefined ? mustUserid(ctx) : owner;
  if (first !== null && (await findPerson(ctx.db, first)) === undefined)
    throw invalid('owner', `There is no user ${first}`);
  const picture = (await ownImage(ctx, image)) ?? null;
  const { teamid } = await ctx.db
    .insertInto('teams')
    .values({
      name,
      description: fields.description ?? '',
      owner: null,
      join_code: fields.join_code ?? null,
      created_date: ctx.seconds,
      image: picture === null ? null : JSON.stringify(picture),
      location: fields.location ?? null,
      latitude: fields.latitude ?? null,
      longitude: fields.longitude ?? null,
    })
    .returning('teamid')
    .executeTakeFirstOrThrow();
  await setAttributes(ctx, teamid, attributes ?? []);
  if (first === null) await publishTeam(ctx, teamid);
  else await addMember(ctx, teamid, first);
  return teamid;
}

/**
 * Applies an edit of a team; throws 422 for an owner who is not a member.
 *
 * - TEAM-10 The owner and administrators edit a team and see its join code. An attribute that keeps its name keeps its
 *   id.
 */
export async function editTeam(ctx: Context, teamid: number, edit: TeamEdit): Promise<void> {
  const { attributes, image, owner, ...fields } = edit;
  const { facts } = await mustFindTeam(ctx, teamid);
  if (owner !== undefined && !facts.members.includes(owner))
    throw invalid('owner', 'The owner must be a member of the team');
  if (owner !== undefined && (await isStation(ctx.db, owner)))
    throw invalid('owner', 'A station cannot own a team');
  const picture = await ownImage(ctx, image);
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const columns = {
    ...named,
    ...(picture === undefined ? {} : { image: picture === null ? null : JSON.stringify(picture) }),
  };
  if (Object.keys(columns).length > 0)
    await ctx.db.updateTable('teams').set(columns).where('teamid', '=', teamid).execute();
  if (owner !== undefined) await setOwner(ctx, teamid, owner);
  if (attributes !== undefined) await setAttributes(ctx, teamid, attributes);
  await publishTeam(ctx, teamid);
}

/** Replaces the attributes of a team (TEAM-10). */
async function setAttributes(
  ctx: Context,
  teamid: number,
  attributes: { name: string; value: string }[],
): Promise<void> {
  const names = attributes.map((attribute) => attribute.name);
  if (new Set(names).size < names.length) throw invalid('attributes', 'Two attributes have the same name');
  const stale = ctx.db.deleteFrom('team_attributes').where('teamid', '=', teamid);
  await (names.length === 0 ? stale : stale.where('name', 'not in', names)).execute();
  for (const { name, value } of attributes) {
    await ctx.db
      .insertInto('team_attributes')
      .values({ teamid, name, value })
      .onConflict((conflict) => conflict.columns(['teamid', 'name']).doUpdateSet({ value }))
      .execute();
  }
}

/** The attributes of a team, in the order in which they were added. */
export async function listAttributes(ctx: Context, teamid: number): Promise<TeamAttribute[]> {
  return ctx.db
    .selectFrom('team_attributes')
    .select(['attributeid', 'name', 'value'])
    .where('teamid', '=', teamid)
    .orderBy('attributeid')
    .execute();
}
