import { z } from 'zod';

import { approvalPurpose, approvalStatus, signatureMeaning } from './approval.ts';
import { auditHead, stampedAuditHead } from './audit.ts';
import { commentContext } from './comment.ts';
import { stageDoctype } from './course.ts';

const guideData = z.strictObject({
  guideid: z.int(),
  revisionid: z.int(),
  guide_revisionid: z.int(),
  title: z.string(),
  type: z.string(),
  category: z.string(),
  public: z.boolean(),
  /** The user who did it; 0: the server itself. */
  userid: z.int(),
});

const approvalData = z.strictObject({
  approval_requestid: z.int(),
  approval_processid: z.int(),
  guideid: z.int(),
  title: z.string(),
  purpose: approvalPurpose,
  revisionid: z.int(),
  guide_revisionid: z.int(),
  revision_hash: z.string(),
  /** The user who requested it. */
  userid: z.int(),
  status: approvalStatus,
  reason: z.string().nullable(),
});

const quizData = z.strictObject({
  sessionid: z.int(),
  quizid: z.int(),
  quiz_revisionid: z.int(),
  title: z.string(),
  userid: z.int(),
  guideid: z.int().nullable(),
  course_stageid: z.int().nullable(),
  /** Percent; null when nothing in the quiz has a correct answer. */
  score: z.int().nullable(),
  passing_score: z.int(),
  passed: z.boolean(),
  date: z.int(),
});

/** The events of webhooks: title and description of the message, and the schema of its `data`. */
export const webhookEvents = {
  'guide.published': {
    title: 'Guide Published',
    description: 'A guide became public',
    data: guideData,
  },
  'guide.edited': {
    title: 'Guide Edited',
    description: 'A guide has a new revision',
    data: guideData,
  },
  'work_order.status_changed': {
    title: 'Work Order Status Changed',
    description: 'Work on an order was begun, paused, resumed, suspended, taken over, finished or cancelled',
    data: z.strictObject({
      entryid: z.int(),
      workorderid: z.string(),
      guideid: z.int(),
      userid: z.int(),
      status: z.string(),
      previous_status: z.string().nullable(),
      starttime: z.int(),
      endtime: z.int().nullable(),
    }),
  },
  'comment.added': {
    title: 'Comment Added',
    description: 'Somebody commented on a guide, a step or a wiki',
    data: z.strictObject({
      commentid: z.int(),
      context: commentContext,
      contextid: z.int(),
      guideid: z.int().nullable(),
      parentid: z.int().nullable(),
      userid: z.int(),
      text_raw: z.string(),
      date: z.int(),
      /** The reason, if the comment is feedback on a step. */
      feedback: z.string().optional(),
    }),
  },
  'quiz.submitted': {
    title: 'Quiz Submitted',
    description: 'Somebody handed a quiz in; it is scored',
    data: quizData,
  },
  'quiz.passed': {
    title: 'Quiz Passed',
    description: 'Somebody reached the score that a quiz asks for',
    data: quizData,
  },
  'quiz.failed': {
    title: 'Quiz Failed',
    description: 'Somebody did not reach the score that a quiz asks for',
    data: quizData,
  },
  'course.assigned': {
    title: 'Course Assigned',
    description: 'A team or a person is to take a course',
    data: z.strictObject({
      course_assignmentid: z.int(),
      courseid: z.int(),
      title: z.string(),
      teamid: z.int().nullable(),
      userid: z.int().nullable(),
      due_date: z.int().nullable(),
    }),
  },
  'course.stage_completed': {
    title: 'Course Stage Completed',
    description: 'Somebody completed a stage of a course',
    data: z.strictObject({
      course_assignment_stage_completionid: z.int(),
      course_stageid: z.int(),
      courseid: z.int(),
      userid: z.int(),
      doctype: stageDoctype,
      docid: z.int(),
      score: z.number().nullable(),
      date: z.int(),
    }),
  },
  'course.completed': {
    title: 'Course Completed',
    description: 'Somebody completed every stage of a course',
    data: z.strictObject({ courseid: z.int(), title: z.string(), userid: z.int(), date: z.int() }),
  },
  'approval.requested': {
    title: 'Approval Requested',
    description: 'A version of a guide waits for signatures',
    data: approvalData,
  },
  'approval.signed': {
    title: 'Approval Signed',
    description: 'Somebody signed a version of a guide',
    data: z.strictObject({
      ...approvalData.shape,
      signature: z.strictObject({
        approval_stageid: z.int(),
        userid: z.int(),
        name: z.string(),
        meaning: signatureMeaning,
        date: z.int(),
      }),
    }),
  },
  'approval.rejected': {
    title: 'Approval Rejected',
    description: 'Somebody refused a version of a guide',
    data: approvalData,
  },
  'approval.voided': {
    title: 'Approval Voided',
    description: 'A request became void: the guide was edited, withdrawn or deleted',
    data: approvalData,
  },
  'approval.completed': {
    title: 'Approval Completed',
    description: 'Every stage signed a version of a guide; it is published or released',
    data: approvalData,
  },
  'audit.head': {
    title: 'Audit Log Head',
    description: 'Number and hash of the last row of the audit log, every hour and after 1,000 rows',
    data: auditHead,
  },
  'audit.stamped': {
    title: 'Audit Log Stamped',
    description: 'A time-stamping authority stamped the last row of the audit log',
    data: stampedAuditHead,
  },
} as const satisfies Record<string, { title: string; description: string; data: z.ZodType }>;

export type WebhookEvent = keyof typeof webhookEvents;
export type WebhookData<E extends WebhookEvent> = z.infer<(typeof webhookEvents)[E]['data']>;

export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];
export const webhookEvent = z.enum(webhookEventNames);

/** The event of a test delivery. */
export const testEvent = 'webhook.test';

/**
 * The body of a delivery: the envelope of existing servers (as on live servers), then our fields. `eventid` is the same
 * for every delivery of an event.
 */
export const webhookMessage = z.strictObject({
  siteName: z.string(),
  siteDomain: z.string(),
  title: z.string(),
  description: z.string(),
  data: z.unknown(),
  event: z.string(),
  eventid: z.string(),
  date: z.int(),
});
export type WebhookMessage = z.infer<typeof webhookMessage>;

/**
 * Headers of a delivery. The signature is `v1=` followed by the HMAC-SHA256, in hex, of `{timestamp}.{body}` with the
 * secret.
 */
export const webhookHeaders = {
  event: 'Benchbook-Event',
  eventid: 'Benchbook-Event-Id',
  timestamp: 'Benchbook-Timestamp',
  signature: 'Benchbook-Signature',
} as const;

/** A webhook: an address to which events are sent. `secret`: only in the answer to the call that created the secret. */
export const webhook = z
  .strictObject({
    webhookid: z.int(),
    url: z.string(),
    description: z.string(),
    events: z.array(webhookEvent),
    enabled: z.boolean(),
    created_date: z.int(),
    /** Number of deliveries that are still tried, and of those that were given up. */
    waiting: z.int(),
    dead: z.int(),
    secret: z.string().optional(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhook>;

export const deliveryStatus = z.enum(['waiting', 'delivered', 'dead']);

/** The delivery of one event to one webhook. */
export const webhookDelivery = z
  .strictObject({
    deliveryid: z.int(),
    eventid: z.string(),
    event: z.string(),
    status: deliveryStatus,
    attempts: z.int(),
    /** Time of the next attempt; null when there is none. */
    next_date: z.int().nullable(),
    /** HTTP status of the last answer; null when there was none. */
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    last_date: z.int().nullable(),
    created_date: z.int(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
