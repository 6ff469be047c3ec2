/**
 * Who may read files. Pictures (`/igi/{guid}`) are public to everybody who knows the guid.
 *
 * - MEDIA-1 A document or video can be read by its owner, by administrators, and by everybody who may see a record
 *   that shows it.
 */
import type { Viewer } from '#server/core/viewer.ts';

import { isSignedIn } from '#server/core/roles.ts';

/** A stored file: its owner, and whether a record that the viewer may see shows it. */
interface FileAccess {
  userid: number;
  isShown: boolean;
}

/**
 * A file can be read by its owner, by administrators, and by everyone who sees a record that shows it. Administrators
 * can use all files; only the owner of a media manager can add, remove and rotate files in it.
 */
export const mediaRules = {
  'file.read': (viewer: Viewer, file: FileAccess): boolean =>
    file.isShown || viewer.isAdmin || (isSignedIn(viewer) && viewer.userid === file.userid),
  'media.useAny': (viewer: Viewer, _manager: null): boolean => viewer.isAdmin,
  'media.upload': (viewer: Viewer, _manager: null): boolean => isSignedIn(viewer),
  'media.arrange': (viewer: Viewer, _manager: null): boolean => isSignedIn(viewer),
};
