import { Problem } from '#shared/api/problem.ts';
import type { CommentFacts, FeedbackReason } from '#shared/model/comment.ts';

import type { CoreActions } from '../api/engine.ts';
import { isUnsent } from '../outbox/coalesce.ts';
import { bare } from '../sync/temporary-ids.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import {
  type CommentChange,
  type CommentOn,
  type CommentTarget,
  commentTargetOf,
  commentTextOf,
} from '../outbox/kinds/comments.ts';
import { commentOn } from '../features/records/overlay/comments.ts';
import { commentEditMs } from '../features/records/rendering.ts';
import {
  type ActionContext,
  bodyId,
  guideTitle,
  impossible,
  laneOf,
  newTemporaryId,
  openCallsOf,
  pageTitle,
} from '../features/action-context.ts';

type CommentActions = Pick<CoreActions, 'comment' | 'editComment' | 'removeComment' | 'postAsReply'>;

/** Actions on comments. */
export function commentActions(context: ActionContext): CommentActions {
  const { outbox } = context.sources.core;
  return {
    comment: (on, contextid, text, replyTo) => addComment(context, on, contextid, { text, replyTo }),
    async editComment(commentid, text) {
      if (text.trim() === '') throw impossible('Write something first');
      await mustBeEditable(context, commentid);
      await outbox.add([
        { ...(await change(context, commentid)), kind: 'comment-edit', method: 'PATCH', body: { text } },
      ]);
    },
    async removeComment(commentid) {
      await mustBeEditable(context, commentid);
      await outbox.add([{ ...(await change(context, commentid)), kind: 'comment-remove', method: 'DELETE' }]);
    },
    postAsReply: (callid) => postAsReply(context, callid),
  };
}

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
export async function change(
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

/** Throws unless a comment can be changed: an unsent one always, a posted one for five minutes of server time. */
async function mustBeEditable(context: ActionContext, commentid: string): Promise<void> {
  const { mirror, clock } = context.sources.core;
  const id = context.resolve(commentid);
  if (openCallsOf(context, 'comments', id).some((call) => call.kind === 'comment-add')) return;
  const record = id.startsWith('tmp:') ? null : await mirror.get('comments', bare(id));
  if (record === null) throw new Problem('not-found', 'This comment is gone');
  if (clock.serverNow() - record.facts.date * 1000 >= commentEditMs) {
    throw new Problem('forbidden', 'A comment can be changed within five minutes of posting it');
  }
}

/** Posts a correction that came too late as a reply to its comment. */
async function postAsReply(context: ActionContext, callid: string): Promise<string> {
  const { outbox, mirror } = context.sources.core;
  const call = outbox.get(callid);
  if (call === undefined || call.kind !== 'comment-edit' || !isUnsent(call)) {
    throw impossible('Only a correction that came too late can be posted as a reply');
  }
  const record = await mirror.get('comments', context.resolve(call.target.id));
  if (record === null) throw new Problem('not-found', 'This comment is gone');
  const { contextid, parentid, commentid } = record.facts;
  const on = commentOn(record.facts.context);
  if (on === null) throw impossible('Only comments on guides and pages have replies here');
  const reply = await addComment(context, on, String(contextid), {
    text: commentTextOf(call),
    replyTo: String(parentid ?? commentid),
  });
  await outbox.remove(callid);
  return reply;
}
