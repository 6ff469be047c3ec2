import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** As much of a story or post as decides who may change it. */
export interface PostAccess {
  kind: 'story' | 'post';
  userid: number;
}

/** Who may see stories and posts: whoever may read the site. */
export function postAudience(): Principal[] {
  return ['public'];
}

/** Stories are everybody's to tell, posts the site's authors'; their author and moderators edit and delete them. */
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
