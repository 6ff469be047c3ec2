import { z } from 'zod';

import type {
  ConflictChoice,
  ContestedStep,
  GuideConflicts,
  GuideConflictView,
  TextSpan,
} from '#desktop/engine/api/conflict-records.ts';
import { mergeText } from '#shared/merge/text.ts';
import { hunksBetween, tokensOf, wordsOf } from '#shared/merge/words.ts';

export type Side = 'mine' | 'theirs' | 'both';

/** A choice: one of the sides, or a text of the person's own. */
export type Decision = { side: Side } | { text: string };

/** The choices so far, by the id of the conflict. `about`: the versions that the person saw. */
export type Decisions = Readonly<Record<string, { decision: Decision; about: string }>>;

/** The choices as they are stored until they are saved. */
export const typedDecisions: z.ZodType<{ decisions: Decisions }> = z.object({
  decisions: z.record(
    z.string(),
    z.object({
      decision: z.union([
        z.object({ side: z.enum(['mine', 'theirs', 'both']) }),
        z.object({ text: z.string() }),
      ]),
      about: z.string(),
    }),
  ),
});

/** The choice for a conflict; null if there is none, or a version has changed since. */
export function decisionFor(decisions: Decisions, conflict: GuideConflictView): Decision | null {
  const made = decisions[conflict.conflictid];
  return made?.about === conflict.versions ? made.decision : null;
}

/** The choices with one more for each of the conflicts. */
export function withDecision(
  decisions: Decisions,
  conflicts: readonly GuideConflictView[],
  decision: Decision,
): Decisions {
  const made = conflicts.map((one) => [one.conflictid, { decision, about: one.versions }] as const);
  return { ...decisions, ...Object.fromEntries(made) };
}

/** Conflicts that are shown together: those of a step, or those of the guide itself (`step` null). */
export interface ConflictGroup {
  id: string;
  step: ContestedStep | null;
  /** Whether they are of a page, not of a guide. */
  ofPage: boolean;
  conflicts: GuideConflictView[];
}

/** The conflicts of the guide itself, then those of each step in the order of the guide. */
export function conflictGroups({ guideid, conflicts, steps }: GuideConflicts): ConflictGroup[] {
  const ofPage = guideid.startsWith('wiki:');
  const known = new Set(steps.map(({ key }) => key));
  const own = conflicts.filter(({ place }) => place.stepKey === undefined || !known.has(place.stepKey));
  const ofSteps = steps.map((step) => ({
    id: step.key,
    step,
    ofPage,
    conflicts: conflicts.filter(({ place }) => place.stepKey === step.key),
  }));
  return [{ id: 'guide', step: null, ofPage, conflicts: own }, ...ofSteps].filter(
    (group) => group.conflicts.length > 0,
  );
}

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
