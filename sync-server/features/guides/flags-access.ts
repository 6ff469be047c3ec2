import type { Privilege } from '#shared/model/user.ts';
import type { Viewer } from '#server/core/viewer.ts';

import { moderators } from '#server/core/roles.ts';

/** Flags that everybody who edits a record sets and unsets; all others of the site are the moderators'. */
const everybodysFlags: ReadonlySet<string> = new Set([
  'GUIDE_PREREQ_ONLY',
  'GUIDE_IN_PROGRESS',
  'WIKI_STUB',
  'WIKI_DRAFT',
]);

/** Whose guides are the site's own; those of everybody else are contributed. */
const staff: readonly Privilege[] = ['Author', ...moderators];

/** Flags that a new guide of somebody with these privileges carries (API facts 20). */
export function automaticFlags(privileges: readonly string[]): string[] {
  const isStaff = privileges.some((one) => (staff as readonly string[]).includes(one));
  return ['GUIDE_IN_PROGRESS', ...(isStaff ? [] : ['GUIDE_USER_CONTRIBUTED'])];
}

const everybody: readonly Privilege[] = ['User', 'Author', ...moderators];

/** Whether somebody with these privileges sets and unsets the flag on what they may edit; a kiosk edits nothing. */
export function maySetFlag(privileges: readonly string[], flagid: string): boolean {
  const setBy: readonly string[] = everybodysFlags.has(flagid) ? everybody : moderators;
  return !privileges.includes('Kiosk') && privileges.some((one) => setBy.includes(one));
}

/** Flags: what only says how far a guide is, its writers say; what praises or shelves it, moderators. */
export const flagRules = {
  'flag.set': (viewer: Viewer, flagid: string): boolean => maySetFlag(viewer.privileges, flagid),
};
