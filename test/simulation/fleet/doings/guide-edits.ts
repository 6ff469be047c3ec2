import type { GuideContent, GuideEditOperation } from '#shared/rules/guide-edit.ts';

import type { Acting } from './acting.ts';

/** Maximum words of a text. */
const longestText = 30;
/** Maximum words of a title or summary: the server accepts 150 characters. */
const longestTitle = 12;

/** An edit of a guide with this content, as the action picks it; null: it does not fit this content. */
export function editOf(acting: Acting, content: GuideContent): GuideEditOperation | null {
  const step = acting.one(content.steps, 2);
  const line = step === undefined ? undefined : acting.one(step.lines, 3);
  switch (acting.pick(1) % 12) {
    case 0:
      return { op: 'setText', field: 'introduction_raw', value: changed(acting, content.introduction_raw) };
    case 1:
      return { op: 'setText', field: 'summary', value: changed(acting, content.summary, longestTitle) };
    case 2:
      return { op: 'setText', field: 'conclusion_raw', value: changed(acting, content.conclusion_raw) };
    case 3:
      if (content.steps.length > 8) return null;
      return {
        op: 'insertStep',
        index: acting.pick(2) % (content.steps.length + 1),
        step: {
          key: acting.key(0),
          title: acting.word('guide'),
          lines: [],
          media: { type: 'image', data: [] },
          time_estimate: 0,
        },
      };
    case 4:
      return step === undefined || content.steps.length < 3 ? null : { op: 'removeStep', step: step.key };
    case 5:
      return step === undefined
        ? null
        : { op: 'moveStep', step: step.key, index: acting.pick(3) % content.steps.length };
    case 6:
      return step === undefined
        ? null
        : { op: 'setStepTitle', step: step.key, value: changed(acting, step.title, longestTitle) };
    case 7:
      if (step === undefined || step.lines.length > 3) return null;
      return {
        op: 'insertLine',
        step: step.key,
        index: acting.pick(3) % (step.lines.length + 1),
        line: {
          id: acting.key(0),
          bullet: 'black',
          level: 0,
          text_raw: acting.word('guide'),
        },
      };
    case 8:
      return step === undefined || line === undefined
        ? null
        : { op: 'removeLine', step: step.key, line: line.id };
    default:
      return step === undefined || line === undefined
        ? null
        : { op: 'setLineText', step: step.key, line: line.id, value: changed(acting, line.text_raw) };
  }
}

/** A text with a new word in it, or replaced by it. `most`: its maximum words. */
function changed(acting: Acting, text: string, most = longestText): string {
  const word = acting.word('guide');
  if (acting.pick(4) % 3 === 0) return word;
  const words = text
    .split(' ')
    .filter((one) => one !== '')
    .slice(0, most - 1);
  return words.toSpliced(acting.pick(5) % (words.length + 1), 0, word).join(' ');
}
