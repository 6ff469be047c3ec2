import type { GuideContent, ContentPath } from '#shared/rules/guide-content.ts';
import { settledLevels } from '#shared/rules/guide-edit.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Choice, Json, MergeConflict } from './conflict.ts';
import { valueAt, withValueAt } from './content-path.ts';
import { mergeText } from './text.ts';

/** Reads and replaces values in one kind of record. `withValueAt` with null removes an element. */
export type ValueAccess<T> = {
  valueAt(record: T, place: ContentPath): Json | undefined;
  withValueAt(record: T, place: ContentPath, value: Json): T;
};

/**
 * The merged guide after a person's choice (rules MERGE-60–MERGE-63). `merged` may have been edited since the merge:
 * words written since then stay if the choice leaves room for them. Throws for a choice that the conflict does not
 * offer.
 */
export function resolveConflict(merged: GuideContent, conflict: MergeConflict, choice: Choice): GuideContent {
  const resolved = resolveAt(merged, conflict, choice, { valueAt, withValueAt });
  return conflict.kind === 'removal' && resolved !== merged
    ? settled(resolved, conflict.place.step)
    : resolved;
}

/** A record of any kind after a person's choice. */
export function resolveAt<T>(merged: T, conflict: MergeConflict, choice: Choice, access: ValueAccess<T>): T {
  const { place } = conflict;
  const now = access.valueAt(merged, place);
  if (conflict.kind === 'removal') {
    if (removes(conflict.removedBy, choice)) return access.withValueAt(merged, place, null);
    return now === undefined ? access.withValueAt(merged, place, conflict.provisional) : merged;
  }
  const chosen = chosenValue(conflict, choice);
  if (conflict.kind !== 'text' || typeof now !== 'string' || typeof chosen !== 'string') {
    return access.withValueAt(merged, place, chosen);
  }
  return access.withValueAt(merged, place, mergeText(conflict.provisional, now, chosen).merged);
}

/** The value that a choice selects in a text or value conflict. */
function chosenValue(conflict: Exclude<MergeConflict, { kind: 'removal' }>, choice: Choice): Json {
  if (typeof choice === 'object') {
    if (conflict.kind !== 'text') throw new Error('Only a text can be written anew');
    return choice.text;
  }
  if (conflict.kind === 'text') return conflict.variants[choice];
  if (choice !== 'both') return conflict[choice];
  if (conflict.both === undefined) throw new Error('The two values cannot stand together');
  return conflict.both;
}

function removes(removedBy: 'mine' | 'theirs', choice: Choice): boolean {
  if (typeof choice === 'object') throw new Error('Only a text can be written anew');
  return choice === removedBy;
}

/** Corrects the levels of a step after one of its lines was removed or restored. */
function settled(content: GuideContent, key: string | undefined): GuideContent {
  const steps = content.steps.map((step) =>
    step.key === key ? { ...step, lines: settledLevels(step.lines) } : step,
  );
  return sameValue(steps, content.steps) ? content : { ...content, steps };
}
