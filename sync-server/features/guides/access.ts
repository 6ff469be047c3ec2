import type { Viewer } from '#server/core/viewer.ts';

import { guideAudience, isAmong, type GuideAccess } from '../audiences.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';

function see(viewer: Viewer, guide: GuideAccess): boolean {
  return isAmong(viewer, guideAudience(guide));
}

/** Guides: authors of the site edit what they see, everybody edits their own; moderators and the author delete. */
export const guideRules = {
  'guide.see': see,
  'guide.edit': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, editors)),
  'guide.delete': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  'guide.tag': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  /** Who else sees it, by privacy or by name: the author and moderators decide; hiding is no less than deleting. */
  'guide.share': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  'guide.create': (viewer: Viewer, _guide: null): boolean => isSignedIn(viewer),
  'guide.listPrivate': (viewer: Viewer, _guide: null): boolean => viewer.isAdmin,
  /** Names another author; of a new guide only administrators do. */
  'guide.handOver': (viewer: Viewer, guide: { userid: number; isNew: boolean }): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && !guide.isNew && guide.userid === viewer.userid),
  'guide.release': (viewer: Viewer, guide: GuideAccess): boolean =>
    see(viewer, guide) && holds(viewer, editors),
};
