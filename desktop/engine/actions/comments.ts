import { Problem } from '#shared/api/problem.ts';

import type { CoreActions } from '../api/engine.ts';
import { type ActionContext, impossible, openCallsOf } from '../features/action-context.ts';
import { addComment, changeOfComment } from '../features/comment-calls.ts';
import { commentOn } from '../features/records/overlay/comments.ts';
import { commentEditMs } from '../features/records/rendering.ts';
import { isUnsent } from '../outbox/coalesce.ts';
import { commentTextOf } from '../outbox/kinds/comments.ts';
import { bare } from '../sync/temporary-ids.ts';

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
        {
          ...(await changeOfComment(context, commentid)),
          kind: 'comment-edit',
          method: 'PATCH',
          body: { text },
        },
      ]);
    },
    async removeComment(commentid) {
      await mustBeEditable(context, commentid);
      await outbox.add([
        { ...(await changeOfComment(context, commentid)), kind: 'comment-remove', method: 'DELETE' },
      ]);
    },
    postAsReply: (callid) => postAsReply(context, callid),
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
