import type { GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import type { GuideContent, StepContent } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

import { shownIn, textOf, type Decision } from './choices.ts';
import type { Outcome } from './run-plan.ts';

/** A rule of README.md that a run broke. */
export interface Violation {
  rule: string;
  what: string;
}

const sides = ['left', 'right'] as const;

/** Checks a round against every rule. */
export function violationsOf(outcome: Outcome): Violation[] {
  return [
    ...lostWords(outcome),
    ...dishonouredChoices(outcome),
    ...wrongSteps(outcome),
    ...unequalViews(outcome),
    ...unrest(outcome),
    ...wrongComments(outcome),
    ...wrongEvents(outcome),
    ...wrongMarks(outcome),
  ];
}

/** MODEL-1 */
function lostWords({ doings, guide }: Outcome): Violation[] {
  const result = JSON.stringify(guide);
  const shown = sides.flatMap((side) => doings[side].decisions.map(shownIn)).join('\n');
  return sides.flatMap((side) => {
    const last = JSON.stringify(doings[side].edits.at(-1)?.content ?? null);
    const written = doings[side].edits.flatMap(({ words }) => words).filter((word) => holds(last, word));
    return written
      .filter((word) => !holds(result, word) && !holds(shown, word) && !wasTakenOut(doings, word))
      .map((word) => ({
        rule: 'MODEL-1',
        what: `${word} of ${side} is neither in the guide nor was it shown`,
      }));
  });
}

/** Whether a person had received the word when they began an edit, and removed it. */
function wasTakenOut(doings: Outcome['doings'], word: string): boolean {
  return sides.some((side) =>
    doings[side].edits.some(
      ({ base, content }) => holds(JSON.stringify(base), word) && !holds(JSON.stringify(content), word),
    ),
  );
}

/** MODEL-2 */
function dishonouredChoices({ doings, guide }: Outcome): Violation[] {
  const result = JSON.stringify(guide);
  const decisions = sides.flatMap((side) => doings[side].decisions);
  return decisions.flatMap((decision, index) => {
    const others = decisions.filter((other, at) => at > index || isRemoval(other.conflict)).map(shownIn);
    const elsewhere = others.join('\n');
    return writtenWords(chosenText(decision))
      .filter((word) => !holds(result, word) && !holds(elsewhere, word))
      .map((word) => ({
        rule: 'MODEL-2',
        what: `${word} was chosen (${decision.choice.take} of ${decision.conflict.conflictid}) and is not in the guide`,
      }));
  });
}

function isRemoval({ kind }: GuideConflictView): boolean {
  return kind === 'deleted-by-me' || kind === 'deleted-by-them';
}

/** The text that a choice puts into the guide; empty for a removal. */
function chosenText({ conflict, choice }: Decision): string {
  if (isRemoval(conflict)) return '';
  if (choice.take === 'text') return choice.text;
  const [mine, theirs] = [textOf(conflict.mine), textOf(conflict.theirs)];
  // A choice affects only the contested words: words of the chosen side that the texts of both sides could contain.
  return choice.take === 'mine' ? mine : choice.take === 'theirs' ? theirs : `${mine} ${theirs}`;
}

/** MODEL-3 */
function wrongSteps({ doings, guide, content }: Outcome): Violation[] {
  const base = doings.left.edits[0]?.base;
  const found: Violation[] = [];
  const say = (what: string): void => void found.push({ rule: 'MODEL-3', what });
  const ids = guide.steps.filter((step) => step.guideid === guide.guideid).map(({ stepid }) => stepid);
  if (new Set(ids).size !== ids.length) say(`step ids repeat: ${ids.join(', ')}`);
  const keys = content.steps.map(({ key }) => key);
  if (new Set(keys).size !== keys.length) say(`step keys repeat: ${keys.join(', ')}`);
  const last = sides.map((side) => doings[side].edits.at(-1)?.content);
  const [left, right] = last;
  if (base === undefined || left === undefined || right === undefined) return found;
  for (const key of new Set([base, left, right].flatMap(({ steps }) => steps.map((step) => step.key)))) {
    const is = keys.includes(key);
    const expected = isTakenOut(doings, key) ? 'decided' : expectedStep(key, base, left, right);
    if (expected === 'present' && !is) say(`step ${key} is missing`);
    if (expected === 'absent' && is) say(`step ${key} was removed and is there`);
  }
  for (const key of keys)
    if (![base, left, right].some((one) => stepOf(one, key) !== undefined)) say(`nobody made step ${key}`);
  return found;
}

/** Whether a person received a step created on the other side, and removed it. */
function isTakenOut(doings: Outcome['doings'], key: string): boolean {
  const before = doings.left.edits[0]?.base;
  return sides.some((side) =>
    doings[side].edits.some(
      ({ base, content }) =>
        before !== undefined &&
        stepOf(before, key) === undefined &&
        stepOf(base, key) !== undefined &&
        stepOf(content, key) === undefined,
    ),
  );
}

/**
 * Kept by both or created by one: present. Removed, and not edited by the other: absent. Otherwise a person decided.
 */
function expectedStep(
  key: string,
  base: GuideContent,
  left: GuideContent,
  right: GuideContent,
): 'present' | 'absent' | 'decided' {
  const [old, mine, theirs] = [stepOf(base, key), stepOf(left, key), stepOf(right, key)];
  if (old === undefined) return 'present';
  if (mine !== undefined && theirs !== undefined) return 'present';
  const kept = mine ?? theirs;
  if (kept === undefined) return 'absent';
  return sameValue(old, kept) ? 'absent' : 'decided';
}

function stepOf(content: GuideContent, key: string): StepContent | undefined {
  return content.steps.find((step) => step.key === key);
}

/** MODEL-4 */
function unequalViews({ shown, guide, content }: Outcome): Violation[] {
  const found: Violation[] = [];
  const expected = {
    title: guide.title,
    difficulty: guide.difficulty,
    introduction: guide.introduction_rendered,
    flags: guide.flags,
    parts: guide.parts.map(({ text, notes, quantity }) => ({ text, notes, quantity })),
    steps: guide.steps
      .filter((step) => step.guideid === guide.guideid)
      .map((step) => ({
        stepid: String(step.stepid),
        title: step.title,
        lines: step.lines.map(({ bullet, level, text_raw: text }) => ({ bullet, level, text })),
      })),
  };
  for (const side of sides) {
    const view = shown[side].guide;
    const seen = view && {
      title: view.title,
      difficulty: view.difficulty,
      introduction: view.introductionHtml,
      flags: view.flags,
      parts: view.parts.map(({ text, notes, quantity }) => ({ text, notes, quantity })),
      steps: view.steps.map(({ stepid, title, lines }) => ({
        stepid,
        title,
        lines: lines.map(({ bullet, level, text }) => ({ bullet, level, text })),
      })),
    };
    if (!sameValue(seen, expected))
      found.push({
        rule: 'MODEL-4',
        what: `${side} shows ${JSON.stringify(seen)}\nthe server ${JSON.stringify(expected)}`,
      });
  }
  const texts = content.steps.map(({ title, lines }) => ({
    title,
    texts: lines.map(({ text_raw }) => text_raw),
  }));
  const served = expected.steps.map(({ title, lines }) => ({ title, texts: lines.map(({ text }) => text) }));
  if (!sameValue(texts, served))
    found.push({ rule: 'MODEL-4', what: `an editor meets ${JSON.stringify(texts)}` });
  return found;
}

/** MODEL-5 */
function unrest({ shown }: Outcome): Violation[] {
  return sides.flatMap((side) => {
    const { state, guide, hasUnsaved, activity } = shown[side];
    const waiting = activity.filter((item) => item.state !== 'on-the-server');
    const isQuiet =
      state.pending === 0 &&
      state.parked === 0 &&
      state.conflicts === 0 &&
      state.trouble === null &&
      guide?.editState === 'none' &&
      !hasUnsaved &&
      waiting.length === 0;
    if (isQuiet) return [];
    const what = JSON.stringify({ state, editState: guide?.editState, hasUnsaved, waiting });
    return [{ rule: 'MODEL-5', what: `${side} is not at rest: ${what}` }];
  });
}

/** MODEL-6 */
function wrongComments(outcome: Outcome): Violation[] {
  const written = sides.flatMap((side) => outcome.doings[side].comments).toSorted();
  return sides.flatMap((side) => {
    const stored = newest(outcome.rows[side], 'comments').map(
      (row) => (row.doc as { text_raw: string }).text_raw,
    );
    const seen = new Set(outcome.shown[side].guide?.comments.map(({ text }) => text));
    const found: Violation[] = [];
    if (!sameValue(stored.toSorted(), written))
      found.push({ rule: 'MODEL-6', what: `comments ${stored.join(', ')} instead of ${written.join(', ')}` });
    for (const text of written)
      if (!seen.has(text)) found.push({ rule: 'MODEL-6', what: `${side} does not show the comment ${text}` });
    return found;
  });
}

/** MODEL-7 */
function wrongEvents(outcome: Outcome): Violation[] {
  return sides.flatMap((side) => {
    const { order } = outcome.doings[side];
    const own = newest(outcome.rows[side], 'workLog').map(
      (row) => row.doc as { workorderid: string; events: { type: string }[] },
    );
    if (order === null) return [];
    const entries = own.filter(({ workorderid }) => workorderid === order.workorderid);
    const types = entries.map(({ events }) => events.map(({ type }) => type).join(' '));
    const expected = ['start', ...order.moves].join(' ');
    return types.length === 1 && types[0] === expected
      ? []
      : [
          {
            rule: 'MODEL-7',
            what: `work order ${order.workorderid} of ${side}: ${types.join(' | ')} instead of ${expected}`,
          },
        ];
  });
}

/** MODEL-8 */
function wrongMarks({ doings, shown }: Outcome): Violation[] {
  return sides.flatMap((side) => {
    const wanted = doings[side].favorite;
    return wanted === null || shown[side].guide?.favorite === wanted
      ? []
      : [{ rule: 'MODEL-8', what: `the favourite of ${side} is not ${wanted}` }];
  });
}

/** The newest state of each record among rows, without removed ones. */
function newest(rows: readonly FeedRow[], collection: SyncedCollection): FeedRow[] {
  const byId = new Map<string, FeedRow>();
  for (const row of rows) {
    if (row.c !== collection || (row.doc === undefined && row.removed !== true)) continue;
    byId.set(row.id, row);
  }
  return [...byId.values()].filter(({ doc }) => doc !== undefined);
}

/** Words that only the simulation writes. */
function writtenWords(text: string): string[] {
  return text.match(/\bw[lr]\d+n\d+\w*x\d+\b/g) ?? [];
}

function holds(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}
