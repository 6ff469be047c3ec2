import type { ConflictChoice, GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { mergeText } from '#shared/merge/text.ts';
import { hunksBetween, tokensOf, wordsOf } from '#shared/merge/words.ts';

export type Side = 'mine' | 'theirs' | 'both';

/** The current choice: one of the sides, or a text of the person's own. */
export type Decision = { side: Side } | { text: string };

/** The text of spans without their authors. */
export function textOf(spans: readonly TextSpan[]): string {
  return spans.map(({ text }) => text).join('');
}

/** The text of a side. */
export function sideText(conflict: GuideConflictView, side: Side): string {
  const mine = textOf(conflict.mine);
  const theirs = textOf(conflict.theirs);
  if (side === 'mine') return mine;
  if (side === 'theirs') return theirs;
  if (conflict.kind !== 'words') return [theirs, mine].filter((words) => words !== '').join(', ');
  return mergeText(conflict.base, mine, theirs).variants.both;
}

/** The initial choice: the side that equals the suggestion; an edit rather than its deletion. */
export function firstDecision(conflict: GuideConflictView): Decision {
  const suggested = textOf(conflict.suggestion);
  if (conflict.kind === 'deleted-by-them') return { side: 'mine' };
  if (conflict.kind === 'deleted-by-me') return { side: 'theirs' };
  const sides: Side[] = conflict.canKeepBoth ? ['mine', 'theirs', 'both'] : ['mine', 'theirs'];
  const equal = sides.find((side) => sideText(conflict, side) === suggested);
  if (equal !== undefined) return { side: equal };
  return conflict.kind === 'words' ? { text: suggested } : { side: 'theirs' };
}

/** A typed text that equals a side counts as that side. */
export function typedDecision(conflict: GuideConflictView, text: string): Decision {
  const sides: Side[] = ['mine', 'theirs'];
  const equal = sides.find((side) => sideText(conflict, side) === text);
  return equal === undefined ? { text } : { side: equal };
}

/** The choice as the engine expects it. */
export function choiceOf(decision: Decision): ConflictChoice {
  return 'side' in decision ? { take: decision.side } : { take: 'text', text: decision.text };
}

/** The text of a side as spans, by author. */
function sideSpans(conflict: GuideConflictView, side: Side): readonly TextSpan[] {
  const { kind, base, mine, theirs } = conflict;
  if (side !== 'both') return conflict[side];
  if (kind !== 'words')
    return [
      ...theirs,
      { text: textOf(theirs) === '' || textOf(mine) === '' ? '' : ', ', by: 'base' },
      ...mine,
    ];
  const { bothSpans } = mergeText(base, textOf(mine), textOf(theirs));
  return bothSpans.map(({ text, by }) => ({ text, by: by === 'both' ? 'base' : by }));
}

/** The result as spans, by author. New text of the person who decides counts as `mine`. */
export function resultSpans(conflict: GuideConflictView, text: string): readonly TextSpan[] {
  const known = (['mine', 'theirs', 'both'] as const).find((side) => sideText(conflict, side) === text);
  if (known !== undefined) return sideSpans(conflict, known);
  const tokens = tokensOf(text);
  const base = tokensOf(conflict.base);
  const mine = new Set(conflict.mine.flatMap((span) => (span.by === 'base' ? [] : wordsOf(span.text))));
  const theirs = new Set(conflict.theirs.flatMap((span) => (span.by === 'base' ? [] : wordsOf(span.text))));
  const spans: TextSpan[] = [];
  const put = (part: string, by: TextSpan['by']) => {
    const last = spans.at(-1);
    if (part === '') return;
    if (last?.by === by) last.text += part;
    else spans.push({ text: part, by });
  };
  let at = 0;
  for (const { start, end } of hunksBetween(tokens, base)) {
    put(tokens.slice(at, start).join(''), 'base');
    for (const token of tokens.slice(start, end)) {
      const isWord = wordsOf(token).length > 0;
      const last = spans.at(-1)?.by;
      if (!isWord) put(token, last === 'mine' || last === 'theirs' ? last : 'base');
      else put(token, theirs.has(token) && !mine.has(token) ? 'theirs' : 'mine');
    }
    at = end;
  }
  put(tokens.slice(at).join(''), 'base');
  return spans;
}
