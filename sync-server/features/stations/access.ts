import { deciding } from '#server/core/deciding.ts';
import { isSignedIn } from '#server/core/roles.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** A station, or a person, with the teams that it or they are in. */
interface InTeams {
  teams: readonly number[];
}

/** A person with the teams that the stations they are of are in. */
interface AtStations extends InTeams {
  stationTeams: readonly number[];
}

function leads(viewer: Viewer, { teams }: InTeams): boolean {
  return teams.some((teamid) => viewer.leads.includes(teamid));
}

function isSelf(viewer: Viewer, userid: number): boolean {
  return isSignedIn(viewer) && viewer.userid === userid;
}

/** Authors found teams and add whom they like, so the team must also be at a station, for which an administrator put it there. */
function leadsAtStation(viewer: Viewer, person: AtStations): boolean {
  return leads(viewer, person) && leads(viewer, { teams: person.stationTeams });
}

/**
 * Administrators make and change stations. The leads of a station's teams see it, shut its device out, decide about former
 * members, and add people of their own teams. Administrators, and leads whose teams are at a station of the person, manage
 * how people of their teams sign in. People manage their own PIN and can revoke their own badges.
 */
const stationRules = {
  'station.govern': (viewer: Viewer, _station: null): boolean => viewer.isAdmin,
  'station.see': (viewer: Viewer, station: InTeams): boolean => viewer.isAdmin || leads(viewer, station),
  'station.arrange': (viewer: Viewer, station: InTeams): boolean => viewer.isAdmin || leads(viewer, station),
  'station.addPerson': (
    viewer: Viewer,
    { station, person }: { station: InTeams; person: InTeams },
  ): boolean => viewer.isAdmin || (leads(viewer, station) && leads(viewer, person)),
  'stationAccess.see': (viewer: Viewer, person: InTeams & { userid: number }): boolean =>
    viewer.isAdmin || leads(viewer, person) || isSelf(viewer, person.userid),
  'stationAccess.manage': (viewer: Viewer, person: AtStations & { userid: number }): boolean =>
    viewer.isAdmin || leadsAtStation(viewer, person) || isSelf(viewer, person.userid),
  'stationAccess.issue': (viewer: Viewer, person: AtStations): boolean =>
    viewer.isAdmin || leadsAtStation(viewer, person),
};

export const can = deciding(stationRules);
