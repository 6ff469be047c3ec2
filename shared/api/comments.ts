import { z } from 'zod';

import { comment, commentContext, feedbackReason } from '#shared/model/comment.ts';

import { del, get, idText, limit, offset, order, patch, post, put } from './endpoint.ts';

const commentId = z.strictObject({ commentid: idText });
const contextOf = z.strictObject({ context: commentContext, contextid: idText });

/** Maximum length of a comment in characters (as on live servers). */
export const commentTextLimit = 4096;
const text = z.string().trim().min(1).max(commentTextLimit);

const filter = {
  order,
  offset,
  limit,
  langid: z.string().optional(),
  modifiedSince: z.coerce.number().int().optional(),
};

/** Filters of GET /comments (not in the spec; as on live servers). */
export const commentFilter = z.object({ ...filter, context: commentContext.optional() });

/**
 * Body of POST (not in the spec; as on live servers). `langid` and its other spelling are accepted and ignored. A
 * `parentid` of 0 means none, for apps whose integers cannot be null.
 */
export const newComment = z.strictObject({
  text,
  parentid: z.int().nonnegative().nullable().optional(),
  langid: z.string().nullable().optional(),
  langId: z.string().nullable().optional(),
  feedback: feedbackReason.optional().meta({
    description:
      'Extension: makes a top-level comment on a step feedback, which is a task of the author of the guide',
  }),
});

export const comments = {
  list: get('/comments', {
    lasts: 'until-written',
    summary: 'List comments',
    access: 'public',
    query: commentFilter,
    result: z.array(comment),
  }),
  read: get('/comments/{commentid}', {
    lasts: 'until-written',
    summary: 'Read a comment',
    access: 'public',
    params: commentId,
    result: comment,
  }),
  ofDocument: get('/comments/{context}/{contextid}', {
    lasts: 'until-written',
    summary: 'List the comments on one document',
    access: 'public',
    params: contextOf,
    query: z.object(filter),
    result: z.array(comment),
    extension: true,
  }),
  create: post('/comments/{context}/{contextid}', {
    refuses: [400, 404],
    summary: 'Add a comment',
    status: 201,
    params: contextOf,
    body: newComment,
    result: comment,
    offline: 'comment-add',
    recorded: true,
  }),
  // Body (not in the spec): the new text.
  patch: patch('/comments/{commentid}', {
    summary: 'Edit a comment',
    details:
      'The author may within five minutes of its date, administrators at any time, so that somebody can correct unacceptable words.',
    params: commentId,
    body: z.strictObject({ text }),
    result: comment,
    tagged: comment,
    offline: 'comment-edit',
  }),
  remove: del('/comments/{commentid}', {
    summary: 'Delete a comment',
    status: 204,
    params: commentId,
    tagged: comment,
    offline: 'comment-remove',
  }),
  closeFeedback: put('/comments/{commentid}/done', {
    summary: 'Close feedback on a step',
    status: 204,
    params: commentId,
    offline: 'feedback-done',
    extension: true,
  }),
  reopenFeedback: del('/comments/{commentid}/done', {
    summary: 'Reopen feedback on a step',
    status: 204,
    params: commentId,
    offline: 'feedback-done',
    extension: true,
  }),
};
