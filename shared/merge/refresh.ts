import { unreachable } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyEdit, type GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { choicesOf, type MergeConflict } from './conflict.ts';
import { bothPictures, mergeGuide } from './guide.ts';
import { valueAt } from './content-path.ts';
import { resolveConflict } from './resolve.ts';
import { mergeText } from './text.ts';

/**
 * An open conflict after the server's version changed (rule MERGE-64): `theirs` becomes the current value, and
 * `provisional` the value that `merged` now contains. A conflict whose place no longer exists is returned unchanged.
 * Returns undefined when the other side meanwhile removed what mine had removed.
 */
export function refreshConflict(
  conflict: MergeConflict,
  theirs: GuideContent,
  merged: GuideContent,
): MergeConflict | undefined {
  const own = valueAt(theirs, conflict.place);
  const provisional = valueAt(merged, conflict.place);
  if (conflict.kind === 'removal' && conflict.removedBy === 'mine' && own === undefined) return undefined;
  if (own === undefined || provisional === undefined) return conflict;
  switch (conflict.kind) {
    case 'removal':
      return { ...conflict, theirs: own, provisional, suggested: provisional };
    case 'value': {
      const { both: _, ...rest } = conflict;
      const both = bothPictures(conflict.place.field ?? '', conflict.mine, own);
      const offered = both === undefined ? {} : { both };
      return { ...rest, theirs: own, provisional, suggested: both ?? own, ...offered };
    }
    case 'text': {
      if (typeof own !== 'string' || typeof provisional !== 'string') return conflict;
      const { variants, spans } = mergeText(conflict.base, conflict.mine, own);
      return { ...conflict, theirs: own, provisional, suggested: variants.both, variants, spans };
    }
    default:
      return unreachable(conflict);
  }
}

/**
 * Turns open conflicts whose step or line no longer exists in theirs into edits for the next merge: their words go back
 * into mine, so that mine counts as edited and the removal is contested (rule MERGE-64). Returns mine and the remaining
 * conflicts.
 */
export function foldLost(
  conflicts: readonly MergeConflict[],
  content: GuideContent,
  theirs: GuideContent,
): { open: MergeConflict[]; mine: GuideContent } {
  const lost = conflicts.filter((conflict) => isLost(conflict, theirs));
  const mine = lost.reduce((now, conflict) => resolveConflict(now, conflict, 'mine'), content);
  return { open: conflicts.filter((conflict) => !lost.includes(conflict)), mine };
}

function isLost({ place, kind }: MergeConflict, theirs: GuideContent): boolean {
  if (place.step === undefined || kind === 'removal') return false;
  const step = theirs.steps.find((other) => other.key === place.step);
  return (
    step === undefined || (place.line !== undefined && !step.lines.some((line) => line.id === place.line))
  );
}

/**
 * Applies an edit that a person made while they saw the value `edit.from`. If the content now has another value there,
 * because of a merge or another window, both changes are applied; contradicting words are placed side by side. Throws
 * as `applyEdit` does.
 */
export function editedNow(content: GuideContent, edit: GuideEditOperation): GuideContent {
  if (!('from' in edit) || edit.from === undefined) return applyEdit(content, edit);
  const { from, ...change } = edit;
  const mine = applyEdit(content, change as GuideEditOperation);
  const base = applyEdit(content, { ...change, value: from } as GuideEditOperation);
  // The content still has the value that the person saw, or already has the value that they want.
  if (base === content || mine === content) return mine;
  const { merged, conflicts } = mergeGuide(base, mine, content);
  return conflicts.reduce(
    (whole, one) => resolveConflict(whole, one, choicesOf(one).includes('both') ? 'both' : 'mine'),
    merged,
  );
}
