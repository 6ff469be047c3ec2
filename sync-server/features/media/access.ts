/**
 * Who may read files. Pictures (`/igi/{guid}`) are public to everybody who knows the guid.
 *
 * - MEDIA-1 A document or video can be read by its owner, by administrators, and by everybody who may see a record
 *   that shows it.
 */
import type { Viewer } from '#server/core/viewer.ts';

import { isSignedIn } from '#server/core/roles.ts';

/** A stored file: whose it is, and whether something that the viewer may see shows it. */
interface FileAccess {
  userid: number;
  isShown: boolean;
}

/**
 * Files: their owner, administrators and whoever sees something that shows them. An administrator's media manager holds
 * everybody's; whose it is alone fills, empties and turns.
 */
export const mediaRules = {
  'file.read': (viewer: Viewer, file: FileAccess): boolean =>
    file.isShown || viewer.isAdmin || (isSignedIn(viewer) && viewer.userid === file.userid),
  'media.useAny': (viewer: Viewer, _manager: null): boolean => viewer.isAdmin,
  'media.upload': (viewer: Viewer, _manager: null): boolean => isSignedIn(viewer),
  'media.arrange': (viewer: Viewer, _manager: null): boolean => isSignedIn(viewer),
};
