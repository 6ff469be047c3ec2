import { isSignedIn } from './roles.ts';
import type { Site } from './site-settings.ts';

import type { Viewer } from './viewer.ts';

/** Whether the viewer may read the site at all: anyone, unless it is private. */
export function mayReadSite(viewer: Viewer, site: Pick<Site, 'private'>): boolean {
  return !site.private || isSignedIn(viewer);
}

/** Whether the viewer may call what is for administrators of the site only. */
export function administersSite(viewer: Viewer): boolean {
  return viewer.isAdmin;
}
