import type { Viewer } from '#server/core/viewer.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';
import type { Privilege } from '#shared/model/user.ts';

import { guideAudience, isAmong, type GuideAccess } from '../audiences.ts';

function see(viewer: Viewer, guide: GuideAccess): boolean {
  return isAmong(viewer, guideAudience(guide));
}

/** Site authors edit every guide that they see, everyone edits their own. The author and moderators delete a guide. */
export const guideRules = {
  'guide.see': see,
  'guide.edit': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, editors)),
  'guide.delete': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  'guide.tag': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  /** Privacy and sharing. Same rule as for deleting, because hiding a guide has the same effect for readers. */
  'guide.share': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && see(viewer, guide) && (guide.userid === viewer.userid || holds(viewer, moderators)),
  'guide.create': (viewer: Viewer, _guide: null): boolean => isSignedIn(viewer),
  'guide.listPrivate': (viewer: Viewer, _guide: null): boolean => viewer.isAdmin,
  /** Changing the author, also of a new guide, which is the caller's. */
  'guide.handOver': (viewer: Viewer, guide: { userid: number }): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && guide.userid === viewer.userid),
  'guide.release': (viewer: Viewer, guide: GuideAccess): boolean =>
    see(viewer, guide) && holds(viewer, editors),
};

/** Flags that everyone who edits a record can set and unset. All other flags are reserved for moderators. */
const openFlags: ReadonlySet<string> = new Set([
  'GUIDE_PREREQ_ONLY',
  'GUIDE_IN_PROGRESS',
  'WIKI_STUB',
  'WIKI_DRAFT',
]);

/** Privileges of staff. New guides of everyone else are flagged as user-contributed. */
const staff: readonly Privilege[] = ['Author', ...moderators];

/**
 * Flags of a new guide by a person with these privileges (API facts 20).
 *
 * - GUIDE-LIMIT-5 Callers can set the flags that `GET /user/flags` lists for them. A new guide is in progress; if its
 *   author is no site author, moderator or administrator, it is also user-contributed, and only moderators can remove
 *   that flag. The featured guides are a collection.
 */
export function automaticFlags(privileges: readonly string[]): string[] {
  const isStaff = privileges.some((one) => (staff as readonly string[]).includes(one));
  return ['GUIDE_IN_PROGRESS', ...(isStaff ? [] : ['GUIDE_USER_CONTRIBUTED'])];
}

const signedIn: readonly Privilege[] = ['User', 'Author', ...moderators];

/** Whether a person with these privileges may set and unset the flag on records that they may edit. Kiosks may not. */
export function maySetFlag(privileges: readonly string[], flagid: string): boolean {
  const setBy: readonly string[] = openFlags.has(flagid) ? signedIn : moderators;
  return !privileges.includes('Kiosk') && privileges.some((one) => setBy.includes(one));
}

/** Writers set flags about the progress of a guide; moderators set all others. */
export const flagRules = {
  'flag.set': (viewer: Viewer, flagid: string): boolean => maySetFlag(viewer.privileges, flagid),
};
