import { teams } from '#shared/api/teams.ts';
import { handle } from '#server/http/handle.ts';

import { assignmentsOfTeam } from '../courses/assignments.ts';
import { mustFindTeam } from './facts.ts';
import {
  withGuessesCounted,
  mayAddMember,
  mustAddMember,
  mustCreateTeam,
  mustManageTeam,
  mustRemoveMember,
  mustSeeAssignments,
} from './policy.ts';
import { addMember, listMembers, removeMember, removeTeam } from './members.ts';
import { createTeam, editTeam, listAttributes, listTeams, representTeam } from './store.ts';

/**
 * - TEAM-19 A team is edited only as the caller saw it, if they send the ETag of its record.
 * - TEAM-14 A repeated call creates, joins, leaves or deletes a team once.
 */
export const teamHandlers = handle(
  teams,
  {
    list: ({ query }, ctx) => listTeams(ctx, query),
    members: {
      allow: async ({ params }, ctx) => void (await mustFindTeam(ctx, params.teamid)),
      run: ({ params, query }, ctx) => listMembers(ctx, params.teamid, query.order),
    },
    read: {
      allow: async ({ params }, ctx) => void (await mustFindTeam(ctx, params.teamid)),
      run: ({ params }, ctx) => representTeam(ctx, params.teamid),
    },
    attributes: {
      allow: async ({ params }, ctx) => void (await mustFindTeam(ctx, params.teamid)),
      run: ({ params }, ctx) => listAttributes(ctx, params.teamid),
    },
    courseAssignments: {
      allow: ({ params }, ctx) => mustSeeAssignments(ctx, params.teamid),
      run: ({ params }, ctx) => assignmentsOfTeam(ctx, params.teamid),
    },
    addMember: {
      allow: ({ params }, ctx) => mayAddMember(ctx, params),
      run: ({ params, query, body }, ctx) => {
        const code = body.join_code ?? query.join_code;
        return withGuessesCounted(ctx, params.teamid, code, () =>
          ctx.write(async (write) => {
            await mustAddMember(write, params, code);
            await addMember(write, params.teamid, params.userid);
            return write.respondWithRecord('teamMembers', params.teamid, listMembers(write, params.teamid));
          }),
        );
      },
    },
    removeMember: {
      allow: ({ params }, ctx) => mustRemoveMember(ctx, params),
      run: async ({ params }, ctx) => {
        await removeMember(ctx, params.teamid, params.userid);
        return ctx.respondWithRecord('teamMembers', params.teamid, listMembers(ctx, params.teamid));
      },
    },
    create: {
      allow: ({ asked }, ctx) => mustCreateTeam(ctx, asked),
      run: async ({ body }, ctx) => {
        const teamid = await createTeam(ctx, body);
        return ctx.respondWithRecord('team', teamid, representTeam(ctx, teamid));
      },
    },
    patch: {
      allow: async ({ params }, ctx) => void (await mustManageTeam(ctx, params.teamid)),
      run: async ({ params, body }, ctx) => {
        await editTeam(ctx, params.teamid, body);
        return ctx.respondWithRecord('team', params.teamid, representTeam(ctx, params.teamid));
      },
    },
    remove: {
      allow: async ({ params }, ctx) => void (await mustManageTeam(ctx, params.teamid)),
      run: ({ params }, ctx) => removeTeam(ctx, params.teamid),
    },
  },
  {
    team: (ctx, id) => representTeam(ctx, Number(id)),
    teamMembers: (ctx, id) => listMembers(ctx, Number(id)),
  },
);
