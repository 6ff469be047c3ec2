import { mergeText } from '#shared/merge/text.ts';
import { wordsOf } from '#shared/merge/words.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { isTextEdit, type GuideEditOperation, type TextEdit } from '#shared/rules/guide-edit.ts';

/** Whether an edit goes on typing or erasing, letter by letter, in the word that the last edit was in. */
export function continuesTyping(
  last: GuideEditOperation | undefined,
  edit: GuideEditOperation,
  before: GuideContent,
): boolean {
  if (last === undefined || !isTextEdit(last) || !isTextEdit(edit) || placeOf(last) !== placeOf(edit))
    return false;
  const old = textAt(before, edit);
  return (
    old === last.value &&
    Math.abs(old.length - edit.value.length) === 1 &&
    wordsOf(old).length === wordsOf(edit.value).length
  );
}

/**
 * An edit as it is to be made in `content`: what the text was given meanwhile, by a merge or in another window, stays, and
 * where both say something else, both do.
 */
export function withPresentText(edit: GuideEditOperation, content: GuideContent): GuideEditOperation {
  if (!isTextEdit(edit) || edit.from === undefined) return edit;
  const { from, ...change } = edit;
  const present = textAt(content, edit);
  return present === from ? change : { ...change, value: mergeText(from, edit.value, present).variants.both };
}

function placeOf(edit: TextEdit): string {
  if (edit.op === 'setText') return edit.field;
  return edit.op === 'setStepTitle' ? `step ${edit.step}` : `line ${edit.step} ${edit.line}`;
}

function textAt(content: GuideContent, edit: TextEdit): string {
  if (edit.op === 'setText') return content[edit.field];
  const step = content.steps.find((one) => one.key === edit.step);
  if (edit.op === 'setStepTitle') return step?.title ?? '';
  return step?.lines.find((line) => line.id === edit.line)?.text_raw ?? '';
}
