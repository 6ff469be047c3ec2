import type { CommentFacts } from '#shared/model/comment.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';
import { isSignedIn } from '#server/core/roles.ts';

/** How long an author may edit a comment after its date, in seconds (spec, "Limits"). */
const editSeconds = 5 * 60;

/** What is commented on: who may see it. */
interface TargetAccess {
  principals: readonly Principal[];
}

type CommentAccess = Pick<CommentFacts, 'userid'>;

function isOwn(viewer: Viewer, comment: CommentAccess): boolean {
  return isSignedIn(viewer) && comment.userid === viewer.userid;
}

/**
 * Comments: who sees a document sees and writes comments on it; their author edits them for five minutes and deletes
 * them, administrators always. A deleted one is still there for the two.
 */
export const commentRules = {
  'comment.see': (viewer: Viewer, target: TargetAccess): boolean => isAmong(viewer, target.principals),
  'comment.seeDeleted': (viewer: Viewer, comment: CommentAccess): boolean =>
    isOwn(viewer, comment) || viewer.isAdmin,
  'comment.write': (viewer: Viewer, target: TargetAccess): boolean =>
    isSignedIn(viewer) && isAmong(viewer, target.principals),
  /** `age`: seconds since its date. */
  'comment.edit': (viewer: Viewer, comment: CommentAccess & { age: number }): boolean =>
    viewer.isAdmin || (isOwn(viewer, comment) && comment.age <= editSeconds),
  'comment.remove': (viewer: Viewer, comment: CommentAccess): boolean =>
    viewer.isAdmin || isOwn(viewer, comment),
};
