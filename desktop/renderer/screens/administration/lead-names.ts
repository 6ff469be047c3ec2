import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { Team } from '#shared/model/team.ts';

/** Returns a function that names the lead of a team. */
export function useLeadNames(): (team: Pick<Team, 'owner'>) => string {
  const { people } = useLive('directory');
  const names = new Map(people.map(({ userid, name }) => [userid, name]));
  return ({ owner }) =>
    owner === null ? teamAdminText.noLead : (names.get(owner) ?? teamAdminText.unknownLead);
}
