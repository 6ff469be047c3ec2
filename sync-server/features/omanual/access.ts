import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** As much of an import as decides who may look at it and take it back. */
export interface ImportAccess {
  userid: number;
}

/**
 * Archives: whoever reads guides takes them along; authors of the site import, administrators for others too. A made
 * archive is its person's alone; imports are seen and ended by who began them and by administrators.
 */
export const omanualRules = {
  'archive.make': (viewer: Viewer, _archive: null): boolean => isSignedIn(viewer),
  'archive.own': (viewer: Viewer, archive: { userid: number | null }): boolean =>
    isSignedIn(viewer) && archive.userid === viewer.userid,
  'import.begin': (viewer: Viewer, _import: null): boolean => holds(viewer, editors),
  /** Gives the guides of an import to the people here who bear their authors' names. */
  'import.forOthers': (viewer: Viewer, _import: null): boolean => viewer.isAdmin,
  'import.see': (viewer: Viewer, one: ImportAccess): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && one.userid === viewer.userid),
  'import.listAll': (viewer: Viewer, _import: null): boolean => viewer.isAdmin,
};
