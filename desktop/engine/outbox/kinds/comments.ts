import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** What can be commented on here. */
export type CommentOn = 'guide' | 'step' | 'wiki';

/** What a call about a comment carries beside its body: where the comment stands. */
export interface CommentPlace {
  /** Of a comment on a guide or step. */
  guideid: string | null;
  /** Of a comment on a wiki page. */
  wikiid?: string | undefined;
  context: CommentOn;
  contextid: string;
  replyTo: string | null;
}

/** Where the comment stands that a call adds, changes or removes; undefined for any other call. */
export function commentPlaceOf(call: OutboxCall): CommentPlace | undefined {
  if (call.target.collection !== 'comments') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'contextid' in context
    ? (context as CommentPlace)
    : undefined;
}

/** What a call that changes or removes a comment carries beside its body. */
export interface CommentChange {
  /** The text that it was made on. */
  base: string;
}

/** The text that a change of a comment was made on; undefined where the call is of an older app. */
export function commentBaseOf({ kind, context }: OutboxCall): string | undefined {
  if (kind !== 'comment-edit' && kind !== 'comment-remove') return undefined;
  return typeof context === 'object' &&
    context !== null &&
    'base' in context &&
    typeof context.base === 'string'
    ? context.base
    : undefined;
}

/** The text of a comment's call. */
export function commentTextOf(call: OutboxCall): string {
  const body = call.body;
  return typeof body === 'object' && body !== null && 'text' in body && typeof body.text === 'string'
    ? body.text
    : '';
}
