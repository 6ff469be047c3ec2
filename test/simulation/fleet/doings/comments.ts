import type { CommentView } from '#desktop/engine/api/records.ts';

import type { DoingKind } from '../plan.ts';
import type { Acting, Perform } from './acting.ts';

/** Actions on comments. */
export const commentDoings = {
  comment: (acting) => comment(acting, false),
  reply: (acting) => comment(acting, true),
  'edit-comment': editComment,
  'remove-comment': removeComment,
} satisfies Partial<Record<DoingKind, Perform>>;

async function comment(acting: Acting, replies: boolean): Promise<void> {
  const guide = await acting.guide();
  if (guide === null) return;
  const word = acting.word('comment');
  const to = replies ? acting.one(guide.comments, 1)?.commentid : undefined;
  acting.say(`comment ${word} on ${guide.title}`);
  await acting.actions.comment('guide', guide.guideid, `Comment ${word}`, to);
}

async function editComment(acting: Acting): Promise<void> {
  const own = await ownComment(acting);
  if (own === undefined) return;
  const word = acting.word('comment');
  acting.say(`edit-comment ${own.text} to ${word}`);
  acting.done.facts.comment = [own.text, word];
  await acting.actions.editComment(own.commentid, `Comment ${word}`);
}

async function removeComment(acting: Acting): Promise<void> {
  const own = await ownComment(acting);
  if (own === undefined) return;
  acting.say(`remove-comment ${own.text}`);
  acting.done.facts.comment = [own.text, null];
  acting.done.facts.deleted = own.commentid;
  await acting.actions.removeComment(own.commentid);
}

/** A changeable comment of the person. */
async function ownComment(acting: Acting): Promise<CommentView | undefined> {
  const { guides } = await acting.look('library', { category: null });
  const found: CommentView[] = [];
  for (const { guideid } of guides.slice(0, 40)) {
    const guide = await acting.look('guide', guideid);
    const all = (guide?.comments ?? []).flatMap((one) => [one, ...one.replies]);
    found.push(...all.filter(({ mine }) => mine));
  }
  const editable = found.filter(({ editable: can }) => can);
  return acting.one(editable, 1);
}
