import type { CommentFacts } from '#shared/model/comment.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';
import { isSignedIn } from '#server/core/roles.ts';

/** How long an author may edit a comment after its date, in seconds (spec, "Limits"). */
const editSeconds = 5 * 60;

/** The audience of the commented document. */
interface TargetAccess {
  principals: readonly Principal[];
}

type CommentAccess = Pick<CommentFacts, 'userid'>;

function isOwn(viewer: Viewer, comment: CommentAccess): boolean {
  return isSignedIn(viewer) && comment.userid === viewer.userid;
}

/**
 * Everyone who sees a document can read and write comments on it. The author can edit a comment for five minutes and
 * delete it at any time; administrators can always do both. Both can still read a deleted comment.
 */
export const commentRules = {
  'comment.see': (viewer: Viewer, target: TargetAccess): boolean => isAmong(viewer, target.principals),
  'comment.seeDeleted': (viewer: Viewer, comment: CommentAccess): boolean =>
    isOwn(viewer, comment) || viewer.isAdmin,
  'comment.write': (viewer: Viewer, target: TargetAccess): boolean =>
    isSignedIn(viewer) && isAmong(viewer, target.principals),
  /** `age`: seconds since the comment's date. */
  'comment.edit': (viewer: Viewer, comment: CommentAccess & { age: number }): boolean =>
    viewer.isAdmin || (isOwn(viewer, comment) && comment.age <= editSeconds),
  'comment.remove': (viewer: Viewer, comment: CommentAccess): boolean =>
    viewer.isAdmin || isOwn(viewer, comment),
};
