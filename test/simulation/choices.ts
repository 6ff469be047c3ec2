import type { ConflictChoice, GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';

/** A displayed conflict, and how it was decided. */
export interface Decision {
  conflict: GuideConflictView;
  choice: ConflictChoice;
}

/** The choice for a number, among those that the conflict offers. */
export function choiceFor(conflict: GuideConflictView, number: number, count: number): ConflictChoice {
  const offered: ConflictChoice[] = [{ take: 'mine' }, { take: 'theirs' }];
  if (conflict.canKeepBoth) offered.push({ take: 'both' });
  if (conflict.kind === 'words') offered.push({ take: 'text', text: `Written anew ${number} ${count}` });
  return offered[number % offered.length] ?? { take: 'mine' };
}

export function textOf(spans: readonly TextSpan[]): string {
  return spans.map(({ text }) => text).join('');
}

/** All texts of a conflict. */
export function shownIn({ conflict }: Decision): string {
  return [conflict.base, textOf(conflict.mine), textOf(conflict.theirs), textOf(conflict.suggestion)].join(
    '\n',
  );
}
