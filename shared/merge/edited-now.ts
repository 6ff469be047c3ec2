import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyEdit, type GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { choicesOf } from './conflict.ts';
import { mergeGuide } from './guide.ts';
import { resolveConflict } from './resolve.ts';

/**
 * The content after an edit that a person made while they saw `edit.from` in its place. Where the content has another value
 * there by now, since a merge or another window changed it, both changes count; words that contradict each other stand side
 * by side. Throws as `applyEdit` does.
 */
export function editedNow(content: GuideContent, edit: GuideEditOperation): GuideContent {
  if (!('from' in edit) || edit.from === undefined) return applyEdit(content, edit);
  const { from, ...change } = edit;
  const mine = applyEdit(content, change as GuideEditOperation);
  const base = applyEdit(content, { ...change, value: from } as GuideEditOperation);
  // What the person saw is still there, or what they want is.
  if (base === content || mine === content) return mine;
  const { merged, conflicts } = mergeGuide(base, mine, content);
  return conflicts.reduce(
    (whole, one) => resolveConflict(whole, one, choicesOf(one).includes('both') ? 'both' : 'mine'),
    merged,
  );
}
