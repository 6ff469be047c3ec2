import type { TeamEdit } from '#shared/api/teams.ts';
import type { Team } from '#shared/model/team.ts';
import type { UserSummary } from '#shared/model/user.ts';

/** A team with its members, as the server has them. */
export interface AdministeredTeam {
  team: Team;
  members: readonly Pick<UserSummary, 'userid' | 'username'>[];
}

/** Administration of teams. Each call asks the server and throws its `Problem`. */
export interface TeamAdminActions {
  /** All teams by name. */
  listTeams(): Promise<Team[]>;
  /** Null: there is no such team. */
  readTeam(teamid: number): Promise<AdministeredTeam | null>;
  /** `owner`: its lead and first member; null: nobody yet. Returns its number. */
  createTeam(name: string, owner: number | null): Promise<number>;
  /** Throws `Problem` conflict if the team has another name or lead than the person saw. */
  changeTeam(
    teamid: number,
    edit: Pick<TeamEdit, 'name' | 'owner'>,
    seen: Pick<Team, 'name' | 'owner'>,
  ): Promise<void>;
  addTeamMember(teamid: number, userid: number): Promise<void>;
  /** A team without members is deleted, unless orders are planned for it. */
  removeTeamMember(teamid: number, userid: number): Promise<void>;
  /** Throws `Problem` `team-has-planned-orders` while open orders are planned for it. */
  removeTeam(teamid: number): Promise<void>;
}
