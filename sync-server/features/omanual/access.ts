import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** The part of an import that determines who may see and undo it. */
export interface ImportAccess {
  userid: number;
}

/**
 * Everyone who is signed in can make archives of guides that they see; such an archive belongs to its person only. Site
 * authors import archives, administrators also in the name of others. An import is seen and ended by the person who
 * started it and by administrators.
 */
export const omanualRules = {
  'archive.make': (viewer: Viewer, _archive: null): boolean => isSignedIn(viewer),
  'archive.own': (viewer: Viewer, archive: { userid: number | null }): boolean =>
    isSignedIn(viewer) && archive.userid === viewer.userid,
  'import.begin': (viewer: Viewer, _import: null): boolean => holds(viewer, editors),
  /** Giving imported guides to local people with the names of their authors. */
  'import.forOthers': (viewer: Viewer, _import: null): boolean => viewer.isAdmin,
  'import.see': (viewer: Viewer, one: ImportAccess): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && one.userid === viewer.userid),
  'import.listAll': (viewer: Viewer, _import: null): boolean => viewer.isAdmin,
};
