import type { DoingKind } from '../plan.ts';
import type { Acting, Perform } from './acting.ts';

/** Actions on guides, except edits of their content. */
export const guideDoings = {
  'new-guide': newGuide,
  publish,
  tag,
  favorite,
  complete,
  'look-at-guide': lookAtGuide,
} satisfies Partial<Record<DoingKind, Perform>>;

async function newGuide(acting: Acting): Promise<void> {
  const { actions } = acting;
  const id = await actions.openDraft(null);
  acting.drafts.add(id);
  const word = acting.word('guide');
  acting.say(`new-guide ${word}`);
  await actions.editDraft(id, { op: 'setText', field: 'title', value: `Guide ${word}` });
  await actions.editDraft(id, { op: 'setField', field: 'category', value: 'Radio' });
  for (let n = 1; n <= acting.pick(1) % 3; n += 1) {
    const title = `Step ${acting.word('guide', n)}`;
    await actions.editDraft(id, {
      op: 'insertStep',
      index: n - 1,
      step: {
        key: acting.key(n),
        title,
        lines: [],
        media: { type: 'image', data: [] },
        time_estimate: 0,
      },
    });
  }
  await actions.saveDraft(id);
  if (acting.pick(2) % 3 > 0) await actions.publish(id, true);
}

async function publish(acting: Acting): Promise<void> {
  const guide = await acting.guide();
  if (guide === null || !guide.canEdit) return;
  acting.say(`publish ${guide.title}`);
  await acting.actions.publish(guide.guideid, !guide.public);
}

async function tag(acting: Acting): Promise<void> {
  const guide = await acting.guide();
  if (guide === null || !guide.canTag) return;
  const word = acting.word('tag');
  acting.say(`tag ${word} on ${guide.title}`);
  await acting.actions.tagGuide(guide.guideid, word, true);
}

async function favorite(acting: Acting): Promise<void> {
  const guide = await acting.guide();
  if (guide === null) return;
  const on = !guide.favorite;
  acting.say(`favorite ${guide.title} ${on}`);
  acting.done.facts.mark = { kind: 'favorite', guideid: guide.guideid, on };
  await acting.actions.favorite(guide.guideid, on);
}

async function complete(acting: Acting): Promise<void> {
  const guide = await acting.guide();
  if (guide === null) return;
  const on = !guide.completed;
  acting.say(`complete ${guide.title} ${on}`);
  acting.done.facts.mark = { kind: 'complete', guideid: guide.guideid, on };
  await acting.actions.complete(guide.guideid, on);
}

async function lookAtGuide(acting: Acting): Promise<void> {
  acting.say('look');
  await acting.guide();
}
