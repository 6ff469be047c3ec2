import { Dice } from '#test/simulation/random.ts';

export const actionKinds = [
  'tap',
  'type',
  'key',
  'visit',
  'back',
  'reload',
  'reopen',
  'offline',
  'online',
] as const;

/** One action in one of two tabs; `pick`, from 0 to 1, chooses among the elements present then. */
export interface Action {
  kind: (typeof actionKinds)[number];
  tab: 0 | 1;
  pick: number;
}

/** Frequency of each action, per thousand. */
const weights: Record<Action['kind'], number> = {
  tap: 560,
  type: 150,
  key: 120,
  visit: 80,
  back: 30,
  reload: 20,
  reopen: 8,
  offline: 14,
  online: 18,
};

/** The same actions for the same seed. */
export function planOf(seed: number, length: number): Action[] {
  const dice = new Dice(seed);
  const choices = actionKinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind));
  return dice.times(length, () => ({
    kind: choices[dice.below(choices.length)] ?? 'tap',
    // People stay in a tab for a while; one action in five is in the other one.
    tab: dice.below(5) === 0 ? 1 : 0,
    pick: dice.below(1_000_000) / 1_000_000,
  }));
}
