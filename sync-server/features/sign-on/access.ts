import type { Viewer } from '#server/core/viewer.ts';
import type { Site } from '#server/core/site-settings.ts';

import { deciding } from '#server/core/deciding.ts';
import { isSignedIn } from '#server/core/roles.ts';

/** Single sign-on for a signature. */
const signOnRules = {
  /** Nobody signs while acting as another person. */
  'signOn.begin': (viewer: Viewer, site: Pick<Site, 'sign_on'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined && site.sign_on !== null,
};

export const can = deciding(signOnRules);
