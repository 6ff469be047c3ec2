import { type GuideContent, type GuideEditOperation, applyEdit } from '#shared/rules/guide-edit.ts';
import { validateChange } from '#shared/rules/guide-limits.ts';

/**
 * Two people adding lines to one step must not exceed its limit together: a merge of nine lines is sent, and refused.
 */
const mostLines = 4;
const settableFlags = ['GUIDE_PREREQ_ONLY', 'GUIDE_IN_PROGRESS'];

/** An edit that the simulation's server accepts, or null: limits are not tested here. */
export function fitted(content: GuideContent, edit: GuideEditOperation): GuideEditOperation | null {
  if (edit.op === 'insertLine') {
    const step = content.steps.find(({ key }) => key === edit.step);
    if ((step?.lines.length ?? 0) >= mostLines) return null;
  }
  const allowed =
    edit.op === 'setList' && edit.field === 'flags'
      ? { ...edit, value: settableFlags.slice(0, edit.value.length % 3) }
      : edit;
  const next = applyEdit(content, allowed);
  return validateChange(content, next).length > 0 || next.title.trim() === '' ? null : allowed;
}
