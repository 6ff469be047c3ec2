import type { CommentFacts } from '#shared/model/comment.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { WebhookData, WebhookEvent } from '#shared/model/webhook.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';

/** An event for webhooks. */
export type AnnouncedEvent = {
  [E in WebhookEvent]: { event: E; data: WebhookData<E> };
}[WebhookEvent];

/** Derives events from a written record; `before` is undefined for a new record. */
type Reading = (before: unknown, after: unknown, userid: number) => AnnouncedEvent[];

/**
 * Events are derived from the records before and after a write, so that no write can forget them. An event of another
 * collection needs a line here.
 */
const readings: Partial<Record<SyncedCollection, Reading>> = {
  guides: (before, after, userid) => readGuide(before as GuideFacts | undefined, after as GuideFacts, userid),
  workLog: (before, after) => readEntry(before as EntryFacts | undefined, after as EntryFacts),
  comments: (before, after) => (before === undefined ? readComment(after as CommentFacts) : []),
};

/** Collections whose records cause events. */
export const eventCollections: ReadonlySet<string> = new Set(Object.keys(readings));

/**
 * The events that follow from a record before and after a write.
 *
 * - WEBHOOK-5 A work order causes an event when its status changes or another person takes it over.
 */
export function eventsOf(
  collection: SyncedCollection,
  before: unknown,
  after: unknown,
  userid: number,
): AnnouncedEvent[] {
  return readings[collection]?.(before, after, userid) ?? [];
}

function readGuide(before: GuideFacts | undefined, after: GuideFacts, userid: number): AnnouncedEvent[] {
  const { guideid, revisionid, guide_revisionid, title, type, category } = after;
  const data = { guideid, revisionid, guide_revisionid, title, type, category, public: after.public, userid };
  const events: AnnouncedEvent[] = [];
  if (before !== undefined && before.guide_revisionid !== guide_revisionid)
    events.push({ event: 'guide.edited', data });
  if (after.public && before?.public !== true) events.push({ event: 'guide.published', data });
  return events;
}

function readEntry(before: EntryFacts | undefined, after: EntryFacts): AnnouncedEvent[] {
  const { userid, status, starttime, endtime } = foldEntry(after);
  const previous = before === undefined ? null : foldEntry(before);
  // Taking over a suspended order resumes it, so status and person change together.
  if (previous?.status === status && previous.userid === userid) return [];
  const { entryid, workorderid, guideid } = after;
  const previous_status = previous?.status ?? null;
  return [
    {
      event: 'work_order.status_changed',
      data: { entryid, workorderid, guideid, userid, status, previous_status, starttime, endtime },
    },
  ];
}

function readComment(facts: CommentFacts): AnnouncedEvent[] {
  const { commentid, context, contextid, guideid, parentid, userid, text_raw, date, feedback } = facts;
  const reason = feedback === undefined ? {} : { feedback: feedback.reason };
  return [
    {
      event: 'comment.added',
      data: { commentid, context, contextid, guideid, parentid, userid, text_raw, date, ...reason },
    },
  ];
}
