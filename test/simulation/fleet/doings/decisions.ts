import type { ConflictChoice, GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { decided } from '#test/support/decided.ts';

import { choiceFor, textOf } from '../../choices.ts';
import type { DoingKind } from '../plan.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';

/** Decisions about conflicts. */
export const decisionDoings = { decide } satisfies Partial<Record<DoingKind, Perform>>;

/** Decides one conflict, if there is one. */
async function decide(acting: Acting): Promise<void> {
  const { done } = acting;
  const activity = await acting.look('activity');
  const ids = activity
    .filter(({ state, id }) => state === 'needs-decision' && id.startsWith('conflict:'))
    .map(({ id }) => id.slice('conflict:'.length));
  const id = acting.one([...new Set(ids)], 0);
  const found = id === undefined ? null : await acting.look('conflict', id);
  const conflict = acting.one(found?.conflicts ?? [], 1);
  if (id === undefined || conflict === undefined) return;
  const choice: ConflictChoice = choiceFor(conflict, acting.pick(2), 0);
  acting.say(`decide about ${id}`);
  for (const text of [textOf(conflict.mine), textOf(conflict.theirs), conflict.base])
    done.decided.push(...wordsIn(text));
  if (choice.take === 'both') done.joined.push(...joinedWords(conflict));
  if (choice.take === 'both' || choice.take === 'mine') done.keptOld.push(...keptOldWords(conflict));
  await acting.actions.resolveConflicts(id, [decided(conflict, choice)]);
}

/** Words of one side that the other has too: both texts are kept, and both contain them. */
function joinedWords({ mine, theirs }: Pick<GuideConflictView, 'mine' | 'theirs'>): string[] {
  const own = new Set([...mine, ...theirs].flatMap(({ text, by }) => (by === 'base' ? [] : wordsIn(text))));
  const left = wordsIn(textOf(theirs));
  return wordsIn(textOf(mine)).filter((word) => {
    const at = left.indexOf(word);
    if (at < 0 || !own.has(word)) return false;
    left.splice(at, 1);
    return true;
  });
}

/**
 * Contested words that the save contained and the server's version no longer has: `suggestion` contains all contested
 * words.
 */
function keptOldWords({
  kind,
  mine,
  theirs,
  suggestion,
}: Pick<GuideConflictView, 'kind' | 'mine' | 'theirs' | 'suggestion'>): string[] {
  if (kind !== 'words') return [];
  const there = new Set(wordsIn(textOf(theirs)));
  const suggested = new Set(wordsIn(textOf(suggestion)));
  return mine
    .flatMap(({ text, by }) => (by === 'base' ? wordsIn(text) : []))
    .filter((word) => !there.has(word) && suggested.has(word));
}
