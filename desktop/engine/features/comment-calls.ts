import type { CommentFacts, FeedbackReason } from '#shared/model/comment.ts';

import {
  type CommentChange,
  type CommentOn,
  type CommentTarget,
  commentTargetOf,
} from '../outbox/kinds/comments.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import {
  type ActionContext,
  bodyId,
  guideTitle,
  impossible,
  laneOf,
  newTemporaryId,
  openCallsOf,
  pageTitle,
} from './action-context.ts';
import { commentOn } from './records/overlay/comments.ts';

/** A comment to be added. `replyTo`: the commentid of the comment that it answers. */
interface NewComment {
  text: string;
  replyTo?: string | undefined;
  feedback?: FeedbackReason;
}

/** Adds a comment and returns its temporary commentid. */
export async function addComment(
  context: ActionContext,
  on: CommentOn,
  contextid: string,
  { text, replyTo, feedback }: NewComment,
): Promise<string> {
  if (text.trim() === '') throw impossible('Write something first');
  const { key, id } = newTemporaryId(context);
  const place = context.resolve(contextid);
  const guideid = on === 'wiki' ? null : on === 'guide' ? place : await context.guideOfStep(place);
  const parent = replyTo === undefined ? null : context.resolve(replyTo);
  await context.sources.core.outbox.add([
    {
      id: key,
      kind: 'comment-add',
      lane: `comment:${key}`,
      method: 'POST',
      path: `/comments/${on}/${place}`,
      body: {
        text,
        ...(parent === null ? {} : { parentid: bodyId(parent) }),
        ...(feedback === undefined ? {} : { feedback }),
      },
      target: { collection: 'comments', id },
      subject: guideid === null ? await pageTitle(context, place) : await guideTitle(context, guideid),
      context: {
        guideid,
        ...(on === 'wiki' ? { wikiid: place } : {}),
        context: on,
        contextid: place,
        replyTo: parent,
      } satisfies CommentTarget,
    },
  ]);
  return id;
}

/** What calls about an existing comment have in common. */
export async function changeOfComment(
  context: ActionContext,
  commentid: string,
): Promise<Omit<NewCall, 'kind' | 'method'>> {
  const id = context.resolve(commentid);
  const unsent = openCallsOf(context, 'comments', id)[0];
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('comments', id);
  const facts = record?.facts;
  const subjectOf = async (): Promise<string> => {
    if (facts === undefined) return unsent?.subject ?? '';
    if (facts.guideid !== null) return guideTitle(context, String(facts.guideid));
    return commentOn(facts.context) === 'wiki' ? pageTitle(context, String(facts.contextid)) : '';
  };
  return {
    lane: laneOf(context, 'comment', 'comments', id),
    path: `/comments/${id}`,
    target: { collection: 'comments', id },
    subject: await subjectOf(),
    ...contextOf(facts, unsent),
  };
}

/**
 * The context of a change: the text before it, and the guide or page of its comment, so that the call can be removed
 * with that guide or page.
 */
function contextOf(
  facts: CommentFacts | undefined,
  unsent: OutboxCall | undefined,
): { context?: Partial<CommentChange & CommentTarget> } {
  if (facts !== undefined) return { context: { base: facts.text_raw, ...placeOf(facts) } };
  const place = unsent === undefined ? undefined : commentTargetOf(unsent);
  return place === undefined ? {} : { context: place };
}

/** The place of a comment of the server. */
function placeOf({ context, contextid, guideid, parentid }: CommentFacts): CommentTarget | null {
  const on = commentOn(context);
  if (on === null) return null;
  return {
    guideid: guideid === null ? null : String(guideid),
    ...(on === 'wiki' ? { wikiid: String(contextid) } : {}),
    context: on,
    contextid: String(contextid),
    replyTo: parentid === null ? null : String(parentid),
  };
}
