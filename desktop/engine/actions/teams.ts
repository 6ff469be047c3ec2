import { teams } from '#shared/api/teams.ts';

import type { Core } from '../account/core.ts';
import type { TeamAdminActions } from '../api/teams.ts';
import { serverClient } from './server-client.ts';
import { writeUnchanged } from './unchanged.ts';

/** Administration of teams. It goes to the server directly; nothing is stored on the device. */
export function teamAdminActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request'> };
}): TeamAdminActions {
  const client = serverClient(core, { teams }).teams;
  const list = async () =>
    (await client.list({ query: {} })).toSorted((a, b) => a.name.localeCompare(b.name));
  return {
    listTeams: list,
    async readTeam(teamid) {
      const team = (await list()).find((one) => one.teamid === teamid);
      return team === undefined
        ? null
        : { team, members: await client.members({ params: { teamid }, query: {} }) };
    },
    async createTeam(name, owner) {
      return (await client.create({ body: { name, owner } })).teamid;
    },
    async changeTeam(teamid, edit, seen) {
      const params = { teamid };
      await writeUnchanged(core, {
        endpoint: teams.read,
        args: { params },
        isAsSeen: ({ name, owner }) => name === seen.name && owner === seen.owner,
        write: (options) => client.patch({ params, body: edit }, options),
      });
    },
    async addTeamMember(teamid, userid) {
      await client.addMember({ params: { teamid, userid }, query: {}, body: {} });
    },
    async removeTeamMember(teamid, userid) {
      await client.removeMember({ params: { teamid, userid } });
    },
    async removeTeam(teamid) {
      await client.remove({ params: { teamid } });
    },
  };
}
