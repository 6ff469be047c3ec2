import { comments } from '#shared/api/comments.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { mustShowComment } from '../guides/showable.ts';
import { mustComment, mustEdit, mustHandle, mustRemove, mustSeeTarget } from './policy.ts';
import {
  addComment,
  editComment,
  listComments,
  markFeedback,
  mustSeeLivingComment,
  removeComment,
  representComment,
} from './store.ts';

/** The handler that closes feedback or opens it again. */
function marking(isDone: boolean) {
  const feedback = async ({ params }: { params: { commentid: number } }, ctx: Context) =>
    mustHandle(ctx, await mustSeeLivingComment(ctx, params.commentid));
  return {
    allow: async (call: { params: { commentid: number } }, ctx: Context) => void (await feedback(call, ctx)),
    run: async (call: { params: { commentid: number } }, ctx: Context) =>
      markFeedback(ctx, await feedback(call, ctx), isDone),
  };
}

export const commentHandlers = handle(
  comments,
  {
    list: ({ query }, ctx) => listComments(ctx, query),
    read: ({ params }, ctx) => representComment(ctx, params.commentid),
    ofDocument: {
      allow: async ({ params }, ctx) => void (await mustSeeTarget(ctx, params.context, params.contextid)),
      run: ({ params, query }, ctx) => listComments(ctx, { ...query, ...params }),
    },
    create: {
      allow: ({ params }, ctx) => mustComment(ctx, params.context, params.contextid),
      run: async ({ params, body }, ctx) => {
        await mustShowComment(ctx, body.text);
        const commentid = await addComment(ctx, {
          ...params,
          text: body.text,
          parentid: body.parentid,
          feedback: body.feedback,
        });
        if (ctx.key !== null) ctx.created(ctx.key, commentid);
        return ctx.respondWithRecord('comment', commentid, representComment(ctx, commentid));
      },
    },
    patch: {
      allow: async ({ params }, ctx) =>
        mustEdit(ctx.viewer, await mustSeeLivingComment(ctx, params.commentid), ctx.seconds),
      run: async ({ params, body }, ctx) => {
        await mustShowComment(ctx, body.text);
        await editComment(ctx, params.commentid, body.text);
        return ctx.respondWithRecord('comment', params.commentid, representComment(ctx, params.commentid));
      },
    },
    remove: {
      allow: async ({ params }, ctx) =>
        mustRemove(ctx.viewer, await mustSeeLivingComment(ctx, params.commentid)),
      run: ({ params }, ctx) => removeComment(ctx, params.commentid),
    },
    closeFeedback: marking(true),
    reopenFeedback: marking(false),
  },
  {
    comment: (ctx, id) => representComment(ctx, Number(id)),
  },
);
