import type { Dice } from '../random.ts';
import type { Stage } from './stage.ts';
import { officeDoings, type DoingKind, type OfficeDoing, type StationDoing, type Step } from './plan.ts';

/** What people do at a station, repeated by frequency. It refuses the last ones. */
export const kindsAtStation: readonly [DoingKind, ...DoingKind[]] = [
  'start-order',
  'start-order',
  'start-order',
  'move-order',
  'move-order',
  'move-order',
  'step-order',
  'value',
  'value',
  'value',
  'photo',
  'limit-value',
  'limit-value',
  'limit-value',
  'report',
  'report',
  'report',
  'finish-order',
  'finish-order',
  'suspend-order',
  'suspend-order',
  'assume-order',
  'assume-order',
  'own-order',
  'comment',
  'comment',
  'comment',
  'reply',
  'edit-comment',
  'remove-comment',
  'retry',
  'retry-all',
  'discard-call',
  'edit-call',
  'sync-now',
  'favorite',
  'tag',
  'save-guide',
  'page-save',
];

/** How people show who they are, mostly rightly. */
const ways: readonly [StationDoing, ...StationDoing[]] = [
  'badge',
  'badge',
  'badge',
  'pin',
  'pin',
  'former-badge',
  'former-pin',
  'unknown-badge',
  'wrong-pin',
];

/** Writes what happens at the station of a plan. */
export class StationPlanner {
  readonly #dice: Dice;
  readonly #stage: Stage;

  constructor(dice: Dice, stage: Stage) {
    this.#dice = dice;
    this.#stage = stage;
  }

  /** Somebody comes, works for a while, and leaves in one of several ways. */
  visit(): Step[] {
    const dice = this.#dice;
    const device = this.#stage.station;
    const person = this.#person();
    const steps: Step[] = [{ do: 'station', what: dice.one(ways), person }];
    if (dice.chance(0.4)) steps.push({ do: 'station', what: 'badge', person });
    if (dice.chance(0.3)) steps.push({ do: 'online', device, on: dice.chance(0.6) });
    for (let left = 1 + dice.below(3); left > 0; left -= 1) steps.push(this.#act());
    const end = dice.below(100);
    if (end < 20) steps.push({ do: 'station', what: 'lock', person });
    else if (end < 50) steps.push(this.#stage.act(device, 'leave-station', 500));
    else if (end < 65) steps.push({ do: 'run', device, ms: dice.one([30_000, 119_000, 130_000]) });
    else if (end < 70) steps.push({ do: 'restart', device });
    return steps;
  }

  /** What administrators and leads do meanwhile. */
  office(): Step[] {
    const dice = this.#dice;
    const person = this.#person();
    const one = dice.below(100);
    if (one < 20) return [this.#stage.rights('line-remove', person)];
    if (one < 40) return [this.#stage.rights('line-add', person)];
    const what = dice.one(officeDoings as readonly [OfficeDoing, ...OfficeDoing[]]);
    return [this.#stage.office(what, person)];
  }

  #act(): Step {
    const dice = this.#dice;
    const act = this.#stage.act(this.#stage.station, dice.one(kindsAtStation), dice.one([0, 100, 500, 5000]));
    if (dice.chance(0.85)) return act;
    return { ...act, next: dice.chance(0.4) ? null : this.#person() };
  }

  #person(): number {
    return this.#dice.below(this.#stage.cast.people);
  }
}
