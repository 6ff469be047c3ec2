import { z } from 'zod';

import { recordUid } from './record-uid.ts';
import { userSummary } from './user.ts';

export const commentContexts = ['guide', 'step', 'wiki', 'post', 'info', 'story'] as const;
export const commentContext = z.enum(commentContexts);

/**
 * What somebody found in a step, with words in English. A comment that says so has these words as its text unless its
 * author wrote others, so that apps and older versions that show only the text show it too. Stored comments have them, so
 * words are never changed.
 */
export const feedbackWords = {
  wrong: 'Something is wrong',
  unclear: 'Hard to understand',
  picture: 'Picture missing or unclear',
  missing: 'Step missing',
  unsafe: 'Unsafe',
} as const;
export const feedbackReason = z.enum(['wrong', 'unclear', 'picture', 'missing', 'unsafe']);
export type FeedbackReason = z.infer<typeof feedbackReason>;
export const feedbackReasons = feedbackReason.options;

/**
 * What makes a comment on a step feedback, which the author of the guide gets as a task (extension).
 *
 * - FEEDBACK-1 Feedback is a comment on a step with a reason. Everybody who can comment on the step gives it, offline and at
 *   stations too, and everybody who sees the step sees it. It is open until somebody who may edit the guide closes it.
 */
export const feedback = z.strictObject({
  /** A `FeedbackReason`; later versions may have others. */
  reason: z.string(),
  /** Who closed it and when; absent: it is open. */
  done: z.strictObject({ userid: z.int(), date: z.int() }).optional(),
});
export type Feedback = z.infer<typeof feedback>;

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
  feedback: feedback.optional(),
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
  /** Extension: present if the comment is feedback on a step. */
  feedback: feedback.meta({ id: 'Feedback' }).optional(),
};

/** A comment with its replies (spec, "Comment object"; one level of nesting). */
export const comment = z
  .strictObject({
    ...commentFields,
    replies: z.array(z.strictObject({ ...commentFields, replies: z.array(z.never()) })),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof comment>;
