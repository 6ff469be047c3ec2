import { administersSite, mayReadSite } from '#server/core/roles.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Site } from '#server/core/site-settings.ts';

/** The site as a whole: who reads it at all, and who makes accounts. */
export const siteRules = {
  'site.read': mayReadSite,
  'site.administer': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean => administersSite(viewer),
  /** An administrator signs in without the app id that a site with public registration asks for. */
  'account.omitAppId': (viewer: Viewer, site: Pick<Site, 'public_registration'>): boolean =>
    !site.public_registration || viewer.isAdmin,
  'account.register': (viewer: Viewer, site: Pick<Site, 'public_registration'>): boolean =>
    site.public_registration || viewer.isAdmin,
  /** A session that stands for somebody else does not stand for a third. */
  'account.impersonate': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean =>
    viewer.isAdmin && viewer.impersonator === undefined,
};
