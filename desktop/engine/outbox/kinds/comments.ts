import { z } from 'zod';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type CallKindSpec, joined, fieldsOf, onOrOff, switches } from './kind.ts';
import type { OwnWord } from '../own-words.ts';

/** Records that can be commented on. */
export type CommentOn = 'guide' | 'step' | 'wiki';

/** Context of a call about a comment: where the comment belongs. */
export interface CommentTarget {
  /** Of a comment on a guide or step. */
  guideid: string | null;
  /** Of a comment on a wiki page. */
  wikiid?: string | undefined;
  context: CommentOn;
  contextid: string;
  replyTo: string | null;
}

/** Where the comment of a call belongs; undefined for any other call. */
export function commentTargetOf(call: OutboxCall): CommentTarget | undefined {
  if (call.target.collection !== 'comments') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'contextid' in context
    ? (context as CommentTarget)
    : undefined;
}

/** Context of a call that changes or removes a comment. */
export interface CommentChange {
  /** The text that was changed or removed. */
  base: string;
}

/** The text that a call changes or removes; undefined for calls of an older app. */
export function commentBaseOf({ kind, context }: OutboxCall): string | undefined {
  if (kind !== 'comment-edit' && kind !== 'comment-remove') return undefined;
  return typeof context === 'object' &&
    context !== null &&
    'base' in context &&
    typeof context.base === 'string'
    ? context.base
    : undefined;
}

/** The text in the body of a call about a comment. */
export function commentTextOf(call: OutboxCall): string {
  const body = call.body;
  return typeof body === 'object' && body !== null && 'text' in body && typeof body.text === 'string'
    ? body.text
    : '';
}

/** The reason in a call that gives feedback; null for any other call. */
export function feedbackReasonOf({ kind, body }: OutboxCall): string | null {
  const { feedback } = kind === 'comment-add' ? fieldsOf(body) : {};
  return typeof feedback === 'string' ? feedback : null;
}

const comment = {
  activity: 'comment',
  about: (call) => {
    const place = commentTargetOf(call);
    if (place === undefined) return null;
    if (place.guideid !== null) return { collection: 'guides', id: place.guideid };
    return place.wikiid === undefined ? null : { collection: 'wikis', id: place.wikiid };
  },
  detail: (call) => feedbackReasonOf(call) ?? commentTextOf(call).slice(0, 80),
} as const satisfies Partial<CallKindSpec>;

function commentWords(call: OutboxCall): OwnWord[] {
  return [{ place: {}, value: commentTextOf(call) }];
}

/**
 * Calls that add, change or remove a comment, or close feedback.
 *
 * - FEEDBACK-4 Feedback is given, taken back, closed and reopened offline. Of closing and reopening that wait, the last
 *   counts.
 */
export const commentKinds = {
  'comment-add': {
    ...comment,
    context: z.looseObject({ context: z.string(), contextid: z.string() }).partial(),
    words: commentWords,
    creates: 'comments',
  },
  'comment-edit': {
    ...comment,
    words: commentWords,
    overwrites: true,
    join: (last, incoming) =>
      last.kind === 'comment-add' || last.kind === 'comment-edit'
        ? joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) })
        : null,
  },
  'comment-remove': {
    ...comment,
    overwrites: true,
    detail: () => 'removed',
    join: (last, incoming, isNeeded) => {
      if (last.kind === 'comment-add')
        return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      return last.kind === 'comment-edit' ? { put: [incoming], drop: [last.id], result: incoming } : null;
    },
  },
  'feedback-done': {
    ...comment,
    activity: 'feedback',
    detail: onOrOff,
    join: switches,
  },
} satisfies Record<string, CallKindSpec>;
