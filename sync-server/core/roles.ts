import type { Privilege } from '#shared/model/user.ts';

import type { Site } from './site-settings.ts';
import type { Viewer } from './viewer.ts';

/** Privileges that let a person write what others began. */
export const editors: Privilege[] = ['Author', 'Moderator', 'Admin'];
/** Privileges that let a person watch over the content of the site. */
export const moderators: Privilege[] = ['Moderator', 'Admin'];

/** Whether the viewer holds one of `privileges`. */
export function holds(viewer: Viewer, privileges: readonly Privilege[]): boolean {
  return viewer.privileges.some((one) => (privileges as readonly string[]).includes(one));
}

/** Whether these privileges administer the site; a kiosk never does, whatever else it was given. */
export function administers(privileges: readonly string[]): boolean {
  return privileges.includes('Admin') && !privileges.includes('Kiosk');
}

/** Whether somebody signed in with these privileges takes quizzes: nobody knows who stands before a kiosk. */
export function takesQuizzes(privileges: readonly string[]): boolean {
  return !privileges.includes('Kiosk');
}

export function isSignedIn(viewer: Viewer): boolean {
  return viewer.userid !== 0;
}

/** Whether the viewer may read the site at all: anyone, unless it is private. */
export function mayReadSite(viewer: Viewer, site: Pick<Site, 'private'>): boolean {
  return !site.private || isSignedIn(viewer);
}

/** Whether the viewer may call what is for administrators of the site only. */
export function administersSite(viewer: Viewer): boolean {
  return viewer.isAdmin;
}
