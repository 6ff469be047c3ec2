import { unreachable } from '#shared/must.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyEdit, type GuideEditOperation } from '#shared/rules/guide-edit.ts';

import { choicesOf, type MergeConflict } from './conflict.ts';
import { bothPictures, mergeGuide } from './guide.ts';
import { valueAt } from './place.ts';
import { resolveConflict } from './resolve.ts';
import { mergeText } from './text.ts';

/**
 * An open conflict after the server's version moved on (rule MERGE-64): what mine contradicts is `theirs` of today, and
 * what stands meanwhile is what `merged` holds now. A place that is gone leaves the conflict as it was; undefined
 * when the other side has removed by now what mine removed.
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
 * Open conflicts whose step or line theirs no longer holds become part of the next merge: their words go back into
 * mine, so that mine counts as edited and the removal is contested (rule MERGE-64). Returns mine, and the other conflicts.
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
