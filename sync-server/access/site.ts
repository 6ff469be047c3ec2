import type { Viewer } from '#server/core/context.ts';
import type { Site } from '#server/site-settings.ts';

import { isSignedIn } from './roles.ts';

/** The site as a whole: who reads it at all, and who makes accounts. */
export const siteRules = {
  'site.read': (viewer: Viewer, site: Pick<Site, 'private'>): boolean => !site.private || isSignedIn(viewer),
  'site.administer': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean => viewer.isAdmin,
  /** An administrator signs in without the app id that a site with public registration asks for. */
  'account.omitAppId': (viewer: Viewer, site: Pick<Site, 'publicRegistration'>): boolean =>
    !site.publicRegistration || viewer.isAdmin,
  'account.register': (viewer: Viewer, site: Pick<Site, 'publicRegistration'>): boolean =>
    site.publicRegistration || viewer.isAdmin,
  /** A session that stands for somebody else does not stand for a third. */
  'account.impersonate': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean =>
    viewer.isAdmin && viewer.impersonator === undefined,
};
