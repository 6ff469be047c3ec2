import type { Privilege } from '#shared/model/user.ts';

import type { Site } from './site-settings.ts';
import type { Viewer } from './viewer.ts';

/** Privileges with which a person may edit the content of others. */
export const editors: Privilege[] = ['Author', 'Moderator', 'Admin'];
/** Privileges with which a person moderates the content of the site. */
export const moderators: Privilege[] = ['Moderator', 'Admin'];

/** Whether the viewer holds one of `privileges`. */
export function holds(viewer: Viewer, privileges: readonly Privilege[]): boolean {
  return viewer.privileges.some((one) => (privileges as readonly string[]).includes(one));
}

/** Whether these privileges administer the site. A kiosk never does, whatever other privileges it has. */
export function administers(privileges: readonly string[]): boolean {
  return privileges.includes('Admin') && !privileges.includes('Kiosk');
}

/** Whether an account with these privileges can take quizzes. A kiosk cannot, because its user is unknown. */
export function takesQuizzes(privileges: readonly string[]): boolean {
  return !privileges.includes('Kiosk');
}

export function isSignedIn(viewer: Viewer): boolean {
  return viewer.userid !== 0;
}

/** Whether the viewer may read the site: everybody may, unless it is private. */
export function mayReadSite(viewer: Viewer, site: Pick<Site, 'private'>): boolean {
  return !site.private || isSignedIn(viewer);
}

/** Whether the viewer may call endpoints for administrators of the site. */
export function administersSite(viewer: Viewer): boolean {
  return viewer.isAdmin;
}
