import type { CommentFacts, Feedback } from '#shared/model/comment.ts';

import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type ResolveId, applies, isOpen } from './applies.ts';
import {
  type CommentOn,
  commentTargetOf,
  commentTextOf,
  type CommentTarget,
  feedbackReasonOf,
} from '#desktop/engine/outbox/kinds/comments.ts';

/** What makes a comment feedback, as this device shows it. */
export interface LocalFeedback {
  reason: string;
  /** Null: it is open. `at`: ms since 1970. */
  done: { userid: number; at: number; pending: boolean } | null;
}

/** A comment of a guide, step or wiki page as this device shows it. */
export interface LocalComment {
  commentid: string;
  context: CommentOn;
  contextid: string;
  parentid: string | null;
  userid: number;
  text: string;
  /** When the server received it, or when an unsent one was written, ms since 1970. */
  at: number;
  edited: boolean;
  /** Not on the server: can be changed while it waits. */
  unsent: boolean;
  pending: boolean;
  /** Null: it is no feedback. */
  feedback: LocalFeedback | null;
}

/** The guide or page whose comments are read. */
export type Discussed = { guideid: string } | { wikiid: string } | 'all';

/** The comments of one guide or page, with the calls (oldest first) on top. Sorted by time, replies included. */
export function overlayComments(
  of: Discussed,
  mirrored: readonly Mirrored<'comments'>[],
  calls: readonly OutboxCall[],
  resolve: ResolveId,
): LocalComment[] {
  const comments = new Map(mirrored.flatMap((record) => fromMirror(record)));
  const records = new Map(mirrored.map((record) => [record.id, record]));
  const keys = new Set(mirrored.flatMap(({ facts }) => (facts.key === undefined ? [] : [facts.key])));
  for (const call of calls) {
    const id = resolve(call.target.id);
    if (call.target.collection !== 'comments' || keys.has(call.id)) continue;
    if (!applies(call, records.get(id)?.seq ?? null)) continue;
    const place = commentTargetOf(call);
    if (call.kind === 'comment-add' && place !== undefined && isOn(place, of, resolve))
      comments.set(id, fromCall(id, call, place, resolve));
    const comment = comments.get(id);
    if (comment === undefined) continue;
    if (call.kind === 'comment-edit') {
      comments.set(id, { ...comment, text: commentTextOf(call), edited: true, pending: isOpen(call) });
    }
    if (call.kind === 'feedback-done') comments.set(id, marked(comment, call));
    if (call.kind !== 'comment-remove') continue;
    comments.delete(id);
    // The server also deletes the replies that it has. A reply that still waits here stays readable.
    for (const reply of comments.values()) {
      const isThere = records.has(reply.commentid) || !reply.pending;
      if (reply.parentid === id && isThere) comments.delete(reply.commentid);
    }
  }
  return [...comments.values()].toSorted((a, b) => a.at - b.at);
}

/** The comment after a call that closes or reopens feedback. */
function marked(comment: LocalComment, call: OutboxCall): LocalComment {
  const { feedback } = comment;
  if (feedback === null) return comment;
  if (call.method === 'DELETE') return { ...comment, feedback: { ...feedback, done: null } };
  const done = feedback.done ?? { userid: call.userid, at: call.at, pending: isOpen(call) };
  return { ...comment, feedback: { ...feedback, done } };
}

function isOn(place: CommentTarget, of: Discussed, resolve: ResolveId): boolean {
  if (of === 'all') return true;
  const [found, wanted] = 'guideid' in of ? [place.guideid, of.guideid] : [place.wikiid, of.wikiid];
  return found !== null && found !== undefined && resolve(found) === resolve(wanted);
}

function fromMirror({ id, facts }: Mirrored<'comments'>): [string, LocalComment][] {
  const context = commentOn(facts.context);
  if (context === null) return [];
  const comment: LocalComment = {
    commentid: id,
    context,
    contextid: String(facts.contextid),
    parentid: facts.parentid === null ? null : String(facts.parentid),
    userid: facts.userid,
    text: facts.text_raw,
    at: facts.date * 1000,
    edited: facts.modified_date > facts.date,
    unsent: false,
    pending: false,
    feedback: facts.feedback === undefined ? null : feedbackOf(facts.feedback),
  };
  return [[id, comment]];
}

function feedbackOf({ reason, done }: Feedback): LocalFeedback {
  return {
    reason,
    done: done === undefined ? null : { userid: done.userid, at: done.date * 1000, pending: false },
  };
}

/** The context of a comment; null if this app does not show such comments. Pages of INFO have two names for it. */
export function commentOn(context: CommentFacts['context']): CommentOn | null {
  if (context === 'info') return 'wiki';
  return context === 'guide' || context === 'step' || context === 'wiki' ? context : null;
}

function fromCall(
  commentid: string,
  call: OutboxCall,
  place: CommentTarget,
  resolve: ResolveId,
): LocalComment {
  const reason = feedbackReasonOf(call);
  return {
    commentid,
    context: place.context,
    contextid: resolve(place.contextid),
    parentid: place.replyTo === null ? null : resolve(place.replyTo),
    userid: call.userid,
    text: commentTextOf(call),
    at: call.at,
    edited: false,
    unsent: call.state === 'queued' || call.state === 'parked',
    pending: isOpen(call),
    feedback: reason === null ? null : { reason, done: null },
  };
}
