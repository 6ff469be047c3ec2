import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isSignedIn } from '#server/core/roles.ts';

/** Everybody signed in may see who is there; on a public site everybody. */
export function peopleAudience(): Principal[] {
  return ['public', 'members'];
}

/** A person, as much as decides who may do something to them. */
interface PersonAccess {
  userid: number;
}

function isSelf(viewer: Viewer, person: PersonAccess): boolean {
  return isSignedIn(viewer) && viewer.userid === person.userid;
}

/**
 * People: everybody edits themselves, administrators everybody; what gives power (privileges, teams, being enabled, the
 * single sign-on id) is theirs alone. Mail addresses and single sign-on ids lead only administrators to a person, and
 * people to themselves.
 */
export const peopleRules = {
  'person.edit': (viewer: Viewer, person: PersonAccess): boolean => isSelf(viewer, person) || viewer.isAdmin,
  'person.govern': (viewer: Viewer, _person: PersonAccess): boolean => viewer.isAdmin,
  /** Where they are signed in, and ending it; whoever acts as somebody else does neither for them. */
  'person.seeSessions': (viewer: Viewer, person: PersonAccess): boolean =>
    viewer.impersonator === undefined && (isSelf(viewer, person) || viewer.isAdmin),
  'person.findByAddress': (viewer: Viewer, person: PersonAccess): boolean =>
    isSelf(viewer, person) || viewer.isAdmin,
  'person.findDisabled': (viewer: Viewer, _person: PersonAccess): boolean => viewer.isAdmin,
};
