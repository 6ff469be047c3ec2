import { type SharedTeams, guideSharing } from '#shared/api/guide-sharing.ts';
import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { UserSummary } from '#shared/model/user.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';
import { guideAudience } from '#server/features/audiences.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';
import { findDocument, findDocuments } from '#server/storage/feed.ts';

import { findPeople, findPerson } from '../users/store.ts';
import { republishGuideAudience } from './audience.ts';
import { mustSeeGuide, mustShareGuide } from './policy.ts';

/** Stores with whom a guide is shared. Devices of people who lose access delete the guide and its dependent records. */
async function share(
  ctx: Context,
  before: GuideFacts,
  change: Pick<GuideFacts, 'allowed_users'> | Pick<GuideFacts, 'allowed_teams'>,
): Promise<GuideFacts> {
  const after = { ...before, ...change };
  // Sharing is stored only in the document, which the audit log does not record.
  ctx.note.outcome = 'done';
  ctx.note.facts = {
    users_before: String(before.allowed_users ?? ''),
    users_after: String(after.allowed_users ?? ''),
    teams_before: String(before.allowed_teams ?? ''),
    teams_after: String(after.allowed_teams ?? ''),
  };
  ctx.changes.put('guides', after.guideid, after, guideAudience(after));
  await republishGuideAudience(ctx, after.guideid, after);
  return after;
}

async function usersOf(ctx: Context, facts: GuideFacts): Promise<UserSummary[]> {
  const people = await findPeople(ctx.db, facts.allowed_users ?? []);
  return [...people.values()].map((person) => userSummaryRecord(person, ctx.baseUrl));
}

async function teamsOf(ctx: Context, facts: GuideFacts): Promise<SharedTeams['guideTeams']> {
  const ids = (facts.allowed_teams ?? []).map((teamid) => `team:${teamid}`);
  const teams = await findDocuments(ctx.db, 'people', ids);
  return teams.flatMap((one) => (one.kind === 'team' ? [{ teamid: one.teamid, name: one.name }] : []));
}

async function teamsAndRights(ctx: Context, facts: GuideFacts): Promise<SharedTeams> {
  return {
    guideTeams: await teamsOf(ctx, facts),
    canIViewGuide: can(ctx.viewer, 'guide.see', facts),
    canIEditGuide: can(ctx.viewer, 'guide.edit', facts),
    canIChangeGuidePrivacy: can(ctx.viewer, 'guide.share', facts),
  };
}

function withId(ids: readonly number[] | undefined, id: number): number[] {
  return [...new Set([...(ids ?? []), id])].toSorted((a, b) => a - b);
}

function withoutId(ids: readonly number[] | undefined, id: number): number[] {
  return (ids ?? []).filter((one) => one !== id);
}

/** The people with whom a guide is shared; throws 404 if the viewer may not see the guide. */
export async function representSharedUsers(ctx: Context, guideid: number): Promise<UserSummary[]> {
  return usersOf(ctx, await mustSeeGuide(ctx, guideid));
}

/** The teams with which a guide is shared; throws 404 if the viewer may not see the guide. */
export async function representSharedTeams(
  ctx: Context,
  guideid: number,
): Promise<SharedTeams['guideTeams']> {
  return teamsOf(ctx, await mustSeeGuide(ctx, guideid));
}

interface OfGuide {
  params: { guideid: number };
}

async function maySee({ params }: OfGuide, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
}

async function mayShare({ params }: OfGuide, ctx: Context): Promise<void> {
  await mustShareGuide(ctx, params.guideid);
}

/** Throws 404 for the guide, then 404 for the person, then 403. */
async function mayAddUser({ params }: OfGuide & { params: { userid: number } }, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
  if ((await findPerson(ctx.db, params.userid)) === undefined) throw notFound('User');
  await mustShareGuide(ctx, params.guideid);
}

async function mayAddTeam({ params }: OfGuide & { params: { teamid: number } }, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
  if ((await findDocument(ctx.db, 'people', `team:${params.teamid}`)) === undefined) throw notFound('Team');
  await mustShareGuide(ctx, params.guideid);
}

export const guideSharingHandlers = handle(
  guideSharing,
  {
    users: {
      allow: maySee,
      run: async ({ params }, ctx) => usersOf(ctx, await mustSeeGuide(ctx, params.guideid)),
    },
    addUser: {
      allow: mayAddUser,
      run: async ({ params }, ctx) => {
        const before = await mustSeeGuide(ctx, params.guideid);
        const after = await share(ctx, before, {
          allowed_users: withId(before.allowed_users, params.userid),
        });
        return ctx.respondWithRecord('sharedUsers', params.guideid, usersOf(ctx, after));
      },
    },
    removeUser: {
      allow: mayShare,
      run: async ({ params }, ctx) => {
        const before = await mustSeeGuide(ctx, params.guideid);
        const after = await share(ctx, before, {
          allowed_users: withoutId(before.allowed_users, params.userid),
        });
        const users = await usersOf(ctx, after);
        return ctx.respondWithRecord('remainingUsers', params.guideid, { users });
      },
    },
    teams: {
      allow: maySee,
      run: async ({ params }, ctx) => teamsAndRights(ctx, await mustSeeGuide(ctx, params.guideid)),
    },
    addTeam: {
      allow: mayAddTeam,
      run: async ({ params }, ctx) => {
        const before = await mustSeeGuide(ctx, params.guideid);
        const after = await share(ctx, before, {
          allowed_teams: withId(before.allowed_teams, params.teamid),
        });
        return ctx.respondWithRecord('sharedTeams', params.guideid, teamsOf(ctx, after));
      },
    },
    removeTeam: {
      allow: mayShare,
      run: async ({ params }, ctx) => {
        const before = await mustSeeGuide(ctx, params.guideid);
        const after = await share(ctx, before, {
          allowed_teams: withoutId(before.allowed_teams, params.teamid),
        });
        return ctx.respondWithRecord('sharedTeams', params.guideid, teamsOf(ctx, after));
      },
    },
  },
  {
    sharedUsers: (ctx, id) => representSharedUsers(ctx, Number(id)),
    // The shared users in the form of the response to a removal.
    remainingUsers: async (ctx, id) => ({ users: await representSharedUsers(ctx, Number(id)) }),
    sharedTeams: (ctx, id) => representSharedTeams(ctx, Number(id)),
  },
);
