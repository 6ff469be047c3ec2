import { teams } from '#shared/api/teams.ts';
import { handle } from '#server/http/handle.ts';

import { mustFindTeam } from './facts.ts';
import { addMember, listMembers, removeMember, removeTeam } from './members.ts';
import {
  mayAddMember,
  mustAddMember,
  mustCreateTeam,
  mustManageTeam,
  mustRemoveMember,
  mustSeeAssignments,
} from './policy.ts';
import {
  createTeam,
  editTeam,
  listAttributes,
  listCourseAssignments,
  listTeams,
  representTeam,
} from './store.ts';

export const teamHandlers = handle(teams, {
  list: ({ query }, ctx) => listTeams(ctx, query),
  members: {
    allow: async ({ params }, ctx) => void (await mustFindTeam(ctx, params.teamid)),
    run: ({ params, query }, ctx) => listMembers(ctx, params.teamid, query.order),
  },
  attributes: {
    allow: async ({ params }, ctx) => void (await mustFindTeam(ctx, params.teamid)),
    run: ({ params }, ctx) => listAttributes(ctx, params.teamid),
  },
  courseAssignments: {
    allow: ({ params }, ctx) => mustSeeAssignments(ctx, params.teamid),
    run: ({ params }, ctx) => listCourseAssignments(ctx, params.teamid),
  },
  addMember: {
    allow: ({ params }, ctx) => mayAddMember(ctx, params),
    run: async ({ params, query, body }, ctx) => {
      await mustAddMember(ctx, params, body.join_code ?? query.join_code);
      await addMember(ctx, params.teamid, params.userid);
      ctx.answersWith('teamMembers', params.teamid);
      return listMembers(ctx, params.teamid);
    },
  },
  removeMember: {
    allow: ({ params }, ctx) => mustRemoveMember(ctx, params),
    run: async ({ params }, ctx) => {
      await removeMember(ctx, params.teamid, params.userid);
      ctx.answersWith('teamMembers', params.teamid);
      return listMembers(ctx, params.teamid);
    },
  },
  create: {
    allow: (_, ctx) => mustCreateTeam(ctx),
    run: async ({ body }, ctx) => {
      const teamid = await createTeam(ctx, body);
      ctx.answersWith('team', teamid);
      return representTeam(ctx, teamid);
    },
  },
  patch: {
    allow: async ({ params }, ctx) => void (await mustManageTeam(ctx, params.teamid)),
    run: async ({ params, body }, ctx) => {
      await editTeam(ctx, params.teamid, body);
      ctx.answersWith('team', params.teamid);
      return representTeam(ctx, params.teamid);
    },
  },
  remove: {
    allow: async ({ params }, ctx) => void (await mustManageTeam(ctx, params.teamid)),
    run: ({ params }, ctx) => removeTeam(ctx, params.teamid),
  },
});
