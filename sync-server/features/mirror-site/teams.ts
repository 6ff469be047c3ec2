import type { Context } from '#server/core/context.ts';
import { membershipsOf, type Memberships } from '#server/core/viewer.ts';
import { storeImage } from '#server/features/guides/import/files.ts';
import type { ImportedIds } from '#server/features/guides/import/ids.ts';
import { imageRefOf, isServerAvatar, type ImportedImage } from '#server/features/guides/import/images.ts';
import { mustFindTeam, publishTeam } from '#server/features/teams/facts.ts';
import { publishMembership, removeTeam } from '#server/features/teams/members.ts';

import { items, personItem, teamItem, type TeamItem } from './answers.ts';
import { changedHere, deleteAbsent } from './gone.ts';
import { allMirrored, findMirrored, fingerprint, outcomeOf, rememberMirrored } from './mirrored.ts';
import { forEach, listed, write, type Run } from './run.ts';

/** Copies teams with their members and owners, and deletes those that are gone. */
export async function mirrorTeams(run: Run): Promise<void> {
  const teams = await listed(run, '/teams', teamItem, { collection: 'teams', key: ({ teamid }) => teamid });
  await forEach(
    run,
    'teams',
    teams,
    ({ teamid, name }) => `${name} (${teamid})`,
    (team) => mirrorTeam(run, team),
  );
  const present = new Set(teams.map(({ teamid }) => String(teamid)));
  await deleteAbsent(run, present, {
    collection: 'teams',
    kind: 'team',
    nameOf: ({ source }) => `team ${source}`,
    pathOf: ({ source }) => `/teams/${source}`,
    remove: async (ctx, { id, ours }) => {
      if ((await teamHere(ctx, id)) !== ours) return changedHere;
      await removeTeam(ctx, id);
      return null;
    },
  });
}

async function mirrorTeam(run: Run, team: TeamItem): Promise<void> {
  const { site, report } = run;
  const known = await findMirrored(run.services.storage.reader, site, 'team', team.teamid);
  if (run.dryRun) return report.count('teams', known === undefined ? 'copied' : 'unchanged');
  const members = (await run.source.read(`/teams/${team.teamid}`, items)).map((one) => personItem.parse(one));
  const memberids = members.map(({ userid }) => userid).toSorted((a, b) => a - b);
  const seen = fingerprint({ ...team, image: team.image?.guid ?? null, memberids });
  if (known?.seen === seen) return report.count('teams', 'unchanged');
  const { picture, isComplete } = await pictureOf(run, team);
  const outcome = await write(run, async (ctx, ids) => {
    if (known !== undefined && (await teamHere(ctx, known.id)) !== known.ours) return 'kept';
    const people = await copiedPeople(ctx, ids, site, memberids);
    const id = known?.id ?? (await insertTeam(ctx, run, team.teamid));
    await ids.remember('team', team.teamid, id);
    await storeTeam(ctx, ids, run, id, team, { picture, members: people });
    const ours = await teamHere(ctx, id);
    const isWhole = isComplete && people.length === memberids.length;
    await rememberMirrored(ctx.db, site, 'team', {
      source: team.teamid,
      id,
      seen: isWhole ? seen : '',
      ours,
    });
    const left = memberids.length - people.length;
    if (left > 0)
      report.lack(
        'teams',
        `${left} ${left === 1 ? 'member' : 'members'} of ${team.name}`,
        'Not visible as people there, or people here have their names',
      );
    return outcomeOf(known, ours);
  });
  if (outcome === 'kept') report.keep('teams', `${team.name} (${team.teamid})`, 'The team was changed here');
  else report.count('teams', outcome);
}

/**
 * The people here who are copies of these people there. Somebody who was here before, and only has the names of one of
 * them, does not come into a team by that (MIRRORSITE-4).
 */
async function copiedPeople(
  ctx: Context,
  ids: ImportedIds,
  site: string,
  userids: readonly number[],
): Promise<number[]> {
  const others = (await allMirrored(ctx.db, site, 'user')).filter(({ ours }) => ours === '');
  const notCopied = new Set(others.map(({ id }) => id));
  return [...(await ids.known('user', userids)).values()].filter((userid) => !notCopied.has(userid));
}

async function pictureOf(
  run: Run,
  team: TeamItem,
): Promise<{ picture: ImportedImage | undefined; isComplete: boolean }> {
  if (team.image === null || isServerAvatar(imageRefOf(team.image)))
    return { picture: undefined, isComplete: true };
  const ref = imageRefOf(team.image);
  const drawing = { placeholder: { guid: ref.guid, guideTitle: team.name } };
  const { images, isComplete } = await run.media.pictures([{ ref, drawing }], team, team.name);
  return { picture: images[0], isComplete };
}

async function insertTeam(ctx: Context, run: Run, source: number): Promise<number> {
  const taken = await ctx.db
    .selectFrom('teams')
    .select('teamid')
    .where('teamid', '=', source)
    .executeTakeFirst();
  const { teamid } = await ctx.db
    .insertInto('teams')
    .values({
      ...(run.ids === 'keep' && taken === undefined ? { teamid: source } : {}),
      name: '',
      description: '',
      owner: null,
      join_code: null,
      created_date: ctx.seconds,
    })
    .returning('teamid')
    .executeTakeFirstOrThrow();
  return teamid;
}

async function storeTeam(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  teamid: number,
  team: TeamItem,
  { picture, members }: { picture: ImportedImage | undefined; members: readonly number[] },
): Promise<void> {
  const owner = team.owner === null ? null : ((await ids.find('user', team.owner)) ?? null);
  const rows = await ctx.db
    .selectFrom('team_members')
    .select('userid')
    .where('teamid', '=', teamid)
    .execute();
  const present = rows.map(({ userid }) => userid);
  const before = new Map<number, Memberships>();
  for (const userid of new Set([...present, ...members]))
    before.set(userid, await membershipsOf(ctx.db, userid));
  const image = picture === undefined ? null : await storeImage(ctx, ids, picture, owner ?? 0, run.ids);
  const { name, description, location, latitude, longitude } = team;
  await ctx.db
    .updateTable('teams')
    .set({
      name,
      description,
      location,
      latitude,
      longitude,
      owner: owner !== null && members.includes(owner) ? owner : null,
      image: image === null ? null : JSON.stringify(image),
    })
    .where('teamid', '=', teamid)
    .execute();
  for (const userid of present.filter((one) => !members.includes(one)))
    await ctx.db
      .deleteFrom('team_members')
      .where('teamid', '=', teamid)
      .where('userid', '=', userid)
      .execute();
  for (const userid of members.filter((one) => !present.includes(one)))
    await ctx.db.insertInto('team_members').values({ teamid, userid, joined_date: ctx.seconds }).execute();
  await publishTeam(ctx, teamid);
  for (const [userid, memberships] of before) await publishMembership(ctx, userid, memberships);
}

/** What a team is like here. */
async function teamHere(ctx: Context, teamid: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('teams')
    .select('teamid')
    .where('teamid', '=', teamid)
    .executeTakeFirst();
  if (row === undefined) return 'deleted';
  const { facts, joinCode } = await mustFindTeam(ctx, teamid);
  const { new_member_since: _date, ...rest } = facts;
  return fingerprint({ ...rest, joinCode });
}
