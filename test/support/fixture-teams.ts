import type { TeamAdminActions } from '#desktop/engine/api/teams.ts';
import { conflict, Problem } from '#shared/api/problem.ts';
import type { Team } from '#shared/model/team.ts';
import { must } from '#shared/must.ts';

import type { World } from './fixture-world.ts';

/** Administration of teams in the memory of the page. Orders are planned for the team "Line B". */
export function teamAdminFixture(world: () => Pick<World, 'teams' | 'people'>): TeamAdminActions {
  type Stored = Pick<Team, 'teamid' | 'name' | 'owner'> & { members: number[] };
  let all: Stored[] | null = null;
  const stored = (): Stored[] =>
    (all ??= world().teams.map(({ teamid, name, owner, members }) => ({
      teamid,
      name,
      owner,
      members: members.map(({ userid }) => userid),
    })));
  const change = (teamid: number, part: (team: Stored) => Partial<Stored>) => {
    all = stored().map((one) => (one.teamid === teamid ? { ...one, ...part(one) } : one));
  };
  const record = ({ members, ...team }: Stored): Team => ({
    ...team,
    description: '',
    image: null,
    url: `/Team/${team.teamid}`,
    location: null,
    latitude: null,
    longitude: null,
    reputation: 0,
    member_count: members.length,
    new_member_since: 0,
  });
  const nameOf = (id: number): string =>
    must(
      world().people.find(({ userid }) => userid === id),
      'the person',
    ).name;
  return {
    listTeams: async () => stored().map(record),
    async readTeam(teamid) {
      const team = stored().find((one) => one.teamid === teamid);
      return team === undefined
        ? null
        : {
            team: record(team),
            members: team.members.map((userid) => ({ userid, username: nameOf(userid) })),
          };
    },
    async createTeam(name, owner) {
      const teamid = 10 + stored().length;
      all = [...stored(), { teamid, name, owner, members: owner === null ? [] : [owner] }];
      return teamid;
    },
    changeTeam: async (teamid, { name, owner }, seen) => {
      const team = stored().find((one) => one.teamid === teamid);
      if (team?.name !== seen.name || team.owner !== seen.owner) throw conflict(team);
      change(teamid, () => ({
        ...(name === undefined ? {} : { name }),
        ...(owner === undefined ? {} : { owner }),
      }));
    },
    addTeamMember: async (teamid, userid) =>
      change(teamid, ({ members, owner }) => ({ members: [...members, userid], owner: owner ?? userid })),
    async removeTeamMember(teamid, userid) {
      change(teamid, ({ members, owner }) => {
        const left = members.filter((one) => one !== userid);
        return { members: left, owner: owner === userid ? (left[0] ?? null) : owner };
      });
      all = stored().filter(({ members }) => members.length > 0);
    },
    async removeTeam(teamid) {
      const team = stored().find((one) => one.teamid === teamid);
      if (team?.name === 'Line B')
        throw new Problem('conflict', 'One open work order is planned for this team.', {
          code: 'team-has-planned-orders',
        });
      all = stored().filter((one) => one !== team);
    },
  };
}
