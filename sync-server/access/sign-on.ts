import type { Viewer } from '#server/core/context.ts';
import type { Site } from '#server/site-settings.ts';

import { isSignedIn } from './roles.ts';

/** Single sign-on for a signature. */
export const signOnRules = {
  /** A session that stands for somebody else does not sign for them. */
  'signOn.begin': (viewer: Viewer, site: Pick<Site, 'signOn'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined && site.signOn !== null,
};
