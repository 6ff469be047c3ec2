import type { ConflictChoice, GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';

/** A conflict as it was shown, and how it was decided. */
export interface Decision {
  conflict: GuideConflictView;
  choice: ConflictChoice;
}

/** The choice that a number stands for, among those that the conflict offers. */
export function choiceFor(conflict: GuideConflictView, number: number, count: number): ConflictChoice {
  const offered: ConflictChoice[] = [{ take: 'mine' }, { take: 'theirs' }];
  if (conflict.canKeepBoth) offered.push({ take: 'both' });
  if (conflict.kind === 'words') offered.push({ take: 'text', text: `Written anew ${number} ${count}` });
  return offered[number % offered.length] ?? { take: 'mine' };
}

export function textOf(spans: readonly TextSpan[]): string {
  return spans.map(({ text }) => text).join('');
}

/** Everything that a conflict showed. */
export function shownIn({ conflict }: Decision): string {
  return [conflict.base, textOf(conflict.mine), textOf(conflict.theirs), textOf(conflict.suggestion)].join(
    '\n',
  );
}
