import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isSignedIn } from '#server/core/roles.ts';

/**
 * The audience of people's facts: everyone who is signed in, and everyone on a public site.
 *
 * - PEOPLE-7 No answer and no synced record shows a mail address to anyone but its owner's devices.
 * - USER-3 A mail address is shown to nobody else.
 */
export function peopleAudience(): Principal[] {
  return ['public', 'members'];
}

/** The part of a person that determines permissions. */
interface PersonAccess {
  userid: number;
}

function isSelf(viewer: Viewer, person: PersonAccess): boolean {
  return isSignedIn(viewer) && viewer.userid === person.userid;
}

/**
 * People edit their own profile, administrators all. Only administrators change privileges, teams, `enabled` and the
 * single sign-on id. Only administrators find people by mail address or single sign-on id, besides their owner.
 *
 * - PEOPLE-3 A disabled account is found by administrators only. Its profile stays, because it has written records.
 */
export const peopleRules = {
  'person.edit': (viewer: Viewer, person: PersonAccess): boolean => isSelf(viewer, person) || viewer.isAdmin,
  'person.govern': (viewer: Viewer, _person: PersonAccess): boolean => viewer.isAdmin,
  /** Listing and ending sessions, but not while acting as the person. */
  'person.seeSessions': (viewer: Viewer, person: PersonAccess): boolean =>
    viewer.impersonator === undefined && (isSelf(viewer, person) || viewer.isAdmin),
  /** The secrets of one's own devices, but not those of the person as whom an administrator acts. */
  'person.obtainDeviceSecret': (viewer: Viewer, person: PersonAccess): boolean =>
    viewer.impersonator === undefined && isSelf(viewer, person),
  'person.findByAddress': (viewer: Viewer, person: PersonAccess): boolean =>
    isSelf(viewer, person) || viewer.isAdmin,
  'person.findDisabled': (viewer: Viewer, _person: PersonAccess): boolean => viewer.isAdmin,
};
