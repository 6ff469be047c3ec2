import { z } from 'zod';

import { recordUid } from './record-uid.ts';
import { userSummary } from './user.ts';

export const commentContexts = ['guide', 'step', 'wiki', 'post', 'info', 'story'] as const;
export const commentContext = z.enum(commentContexts);

/** A comment as facts (feed collection `comments`). `guideid` is set in the contexts guide and step. */
export const commentFacts = z.strictObject({
  commentid: z.int(),
  uid: recordUid,
  key: z.string().optional(),
  langid: z.string().nullable(),
  context: commentContext,
  contextid: z.int(),
  guideid: z.int().nullable(),
  parentid: z.int().nullable(),
  userid: z.int(),
  text_raw: z.string(),
  date: z.int(),
  modified_date: z.int(),
  replied_date: z.int(),
  rating: z.int(),
  status: z.string(),
  status_reason: z.string().nullable(),
  /** The station at which it was recorded: the userid of its account. */
  stationid: z.int().optional(),
});
export type CommentFacts = z.infer<typeof commentFacts>;

const commentFields = {
  commentid: z.int(),
  locale: z.string().nullable(),
  context: z.string(),
  contextid: z.int(),
  parentid: z.int().nullable(),
  author: userSummary,
  title: z.string(),
  text_raw: z.string(),
  text_rendered: z.string(),
  rating: z.int(),
  date: z.int(),
  modified_date: z.int(),
  replied_date: z.int(),
  numberOfReplies: z.int(),
  status: z.string(),
  status_reason: z.string().nullable(),
  /** Extension: the station at which it was recorded (userid). */
  stationid: z.int().optional(),
};

/** A comment with its replies (spec, "Comment object"; one level of nesting). */
export const comment = z
  .strictObject({
    ...commentFields,
    replies: z.array(z.strictObject({ ...commentFields, replies: z.array(z.never()) })),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof comment>;
