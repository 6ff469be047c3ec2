import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** The part of a story or post that determines who may change it. */
export interface PostAccess {
  kind: 'story' | 'post';
  userid: number;
}

/** Everyone who may read the site may see stories and posts. */
export function postAudience(): Principal[] {
  return ['public'];
}

/**
 * Everyone who is signed in can write stories.
 *
 * - POST-3 The author and moderators edit and delete a story or post. Fields that an edit does not name stay.
 * - POST-6 Posts are written by site authors.
 */
export const postRules = {
  'post.see': (viewer: Viewer, _post: Pick<PostAccess, 'kind'>): boolean => isAmong(viewer, postAudience()),
  'post.write': (viewer: Viewer, { kind }: Pick<PostAccess, 'kind'>): boolean =>
    isSignedIn(viewer) && (kind === 'story' || holds(viewer, editors)),
  'post.edit': manages,
  'post.remove': manages,
};

function manages(viewer: Viewer, post: PostAccess): boolean {
  return isSignedIn(viewer) && (post.userid === viewer.userid || holds(viewer, moderators));
}
