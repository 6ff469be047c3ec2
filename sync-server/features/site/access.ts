import { administersSite, mayReadSite } from '#server/core/roles.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Site } from '#server/core/site-settings.ts';

/**
 * Who may read the site at all, and who may create accounts.
 *
 * - SITE-8 A private site shows strangers only how to sign in.
 * - USER-7 On a private site everything but signing in requires a session.
 * - SITE-11 A person cannot act as a second person while acting as another.
 */
export const siteRules = {
  'site.read': mayReadSite,
  'site.administer': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean => administersSite(viewer),
  /** Administrators can sign in without the app id that a site with public registration requires. */
  'account.omitAppId': (viewer: Viewer, site: Pick<Site, 'public_registration'>): boolean =>
    !site.public_registration || viewer.isAdmin,
  'account.register': (viewer: Viewer, site: Pick<Site, 'public_registration'>): boolean =>
    site.public_registration || viewer.isAdmin,
  /** Starting to act as another person. */
  'account.impersonate': (viewer: Viewer, _site: Pick<Site, 'name'>): boolean =>
    viewer.isAdmin && viewer.impersonator === undefined,
};
