import { wordsOf } from '#shared/merge/words.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import type { GuideEditOperation } from '#shared/rules/guide-edit.ts';

type TextEdit = Extract<GuideEditOperation, { op: 'setText' | 'setStepTitle' | 'setLineText' }>;

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

function isTextEdit(edit: GuideEditOperation): edit is TextEdit {
  return edit.op === 'setText' || edit.op === 'setStepTitle' || edit.op === 'setLineText';
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
