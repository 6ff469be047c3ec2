import { must } from '#shared/must.ts';

import { Dice } from '../random.ts';
import {
  deviceFaults,
  plainDoings,
  rightsChanges,
  serverFaults,
  wireFaults,
  type DeviceFault,
  type Doing,
  type DoingKind,
  type Plan,
  type ServerFault,
  type Step,
  type Trap,
  type WireFault,
} from './plan.ts';
import { FollowUpScenes } from './follow-up-scenes.ts';
import { OrderScenes } from './order-scenes.ts';
import { Scenes } from './scenes.ts';
import { Stage } from './stage.ts';
import { kindsAtStation, StationPlanner } from './station-planner.ts';
import { StationScenes } from './station-scenes.ts';

export interface Size {
  actions: number;
  faults: number;
}

/** Actions, repeated by frequency. */
const often: readonly [DoingKind, ...DoingKind[]] = [
  'save-guide',
  ...Array.from({ length: 9 }, (): DoingKind => 'save-guide'),
  'edit-draft',
  'edit-draft',
  'save-draft',
  'discard-draft',
  'new-guide',
  'new-guide',
  'comment',
  'comment',
  'comment',
  'comment',
  'reply',
  'edit-comment',
  'edit-comment',
  'remove-comment',
  'tag',
  'tag',
  'favorite',
  'favorite',
  'complete',
  'start-order',
  'start-order',
  'move-order',
  'move-order',
  'move-order',
  'step-order',
  'value',
  'value',
  'photo',
  'picture',
  'page-save',
  'page-save',
  'page-save',
  'new-page',
  'item-part',
  'decide',
  'decide',
  'own-order',
  'limit-value',
  'limit-value',
  'report',
  'report',
  'report',
  'decide-deviation',
  'decide-deviation',
  'plan-follow-up',
  'plan-follow-up',
  'withdraw-follow-up',
  'own-follow-up',
  'finish-order',
  'finish-order',
  'suspend-order',
  'assume-order',
  'publish',
  'retry',
  'retry-all',
  'discard-call',
  'export-call',
  'edit-call',
  'sync-now',
  'look-at-guide',
];

/** Faults that the app of protocol 5 was made for. */
const oldFaults: readonly (WireFault | DeviceFault | ServerFault)[] = [
  'refused',
  'lost',
  'cut',
  'twice',
  'server-dies',
  'kill',
  'sleep',
  'offline',
  'restart',
  'gone',
  'disk-full',
];

const minute = 60_000;
const day = 24 * 60 * minute;

/** Large enough for more than 500 actions and 20 faults. */
export const wholeSize: Size = { actions: 620, faults: 26 };

/** The plan of a seed. */
export function planOf(seed: number, size: Size = wholeSize): Plan {
  const dice = new Dice(seed);
  const isCalm = seed % 10 === 0;
  const people = 2 + dice.below(3);
  const count = Math.max(3, people) + dice.below(9 - Math.max(3, people));
  const devices = Array.from({ length: count }, (_, index) => index % people);
  const actions = isCalm ? size.actions * 2 : size.actions;
  const plan: Plan = {
    seed,
    devices,
    people,
    guides: isCalm ? 60 : 5 + dice.below(8),
    line: true,
    steps: [],
  };
  if (seed % 5 === 2) plan.old = 1;
  if (seed % 3 === 1) plan.station = true;
  // A visit to the station is several actions.
  const share = plan.station === true ? 0.75 : 1;
  new Planner(plan, dice, isCalm ? 0 : size.faults / size.actions).fill(Math.round(actions * share));
  return plan;
}

/** A plan that plays one scene with three people and four devices. */
export function planOfScene(scene: string, seed: number): Plan {
  const plan: Plan = { seed, devices: [0, 1, 2, 0], people: 3, guides: 8, line: true, steps: [] };
  const planner = new Planner(plan, new Dice(seed), 0);
  if (planner.isAtStation(scene)) plan.station = true;
  planner.play(scene);
  return plan;
}

/** Kinds of steps with their relative frequency. */
class Planner {
  readonly #plan: Plan;
  readonly #dice: Dice;
  /** Faults for each action. */
  readonly #faultRate: number;
  #last = 0;

  constructor(plan: Plan, dice: Dice, faultRate: number) {
    this.#plan = plan;
    this.#dice = dice;
    this.#faultRate = faultRate;
  }

  /** Whether a scene needs a station. */
  isAtStation(scene: string): boolean {
    return scene in new StationScenes(this.#stage()).all();
  }

  /** Adds one scene, at a quiet point. */
  play(scene: string): void {
    const make = must(this.#makers()[scene], `a scene ${scene}`);
    this.#plan.steps.push(...make(), { do: 'quiet' });
  }

  fill(actions: number): void {
    const { steps } = this.#plan;
    const quietEvery = Math.max(25, Math.floor(actions / (2 + this.#dice.below(4))));
    const scenes = this.#scenes();
    // Plans of the size in `npm test` are too short for scenes.
    const scenesAtOnce = this.#faultRate === 0 ? 0 : Math.floor(actions / 200);
    const playScenes = (): void => void steps.push(...scenes.splice(0, scenesAtOnce).flat());
    playScenes();
    for (let done = 1; done <= actions; done += 1) {
      if (this.#dice.chance(this.#faultRate * 1.3)) steps.push(...this.#fairFault());
      this.#between();
      if (this.#plan.station === true) steps.push(...this.#atStation());
      steps.push(this.#act());
      if (done % quietEvery !== 0) continue;
      steps.push({ do: 'quiet' });
      playScenes();
    }
    steps.push({ do: 'quiet' });
  }

  /** Sometimes somebody comes to the station, or an administrator changes something about it. */
  #atStation(): Step[] {
    const dice = this.#dice;
    const planner = new StationPlanner(dice, this.#stage());
    return [...(dice.chance(0.06) ? planner.office() : []), ...(dice.chance(0.12) ? planner.visit() : [])];
  }

  /** A step that is neither an action nor a fault: devices run on, networks change, people sign in and out. */
  #between(): void {
    const dice = this.#dice;
    const { steps } = this.#plan;
    const device = this.#device();
    const one = dice.below(100);
    if (one < 12) steps.push({ do: 'run', device, ms: dice.one([500, 2000, 10_000, minute]) });
    else if (one < 18) steps.push({ do: 'online', device, on: false });
    else if (one < 27) steps.push({ do: 'online', device, on: true });
    else if (one < 29) steps.push({ do: 'restart', device });
    else if (one < 34) steps.push(this.#plain());
    else if (one < 36) steps.push({ do: 'time', ms: dice.one([5 * minute, 60 * minute, day, 20 * day]) });
    else if (one < 37) steps.push({ do: 'sign-out', device: this.#kiosk });
    else if (one < 39)
      steps.push({
        do: 'sign-in',
        device: this.#kiosk,
        person: dice.below(this.#plan.people),
        other: dice.chance(0.2),
      });
    else if (one < 40 && this.#faultRate > 0) steps.push({ do: 'back-up' });
  }

  #act(): Step {
    const dice = this.#dice;
    const ms = dice.one([0, 0, 100, 500, 500, 2000, 5000]);
    const device = this.#device();
    const kinds = device === this.#plan.devices.length ? kindsAtStation : often;
    return { do: 'act', device, doing: this.#doing(kinds), ms };
  }

  #doing(kinds: typeof often): Doing {
    const dice = this.#dice;
    const kind = dice.one(kinds);
    return { id: this.#id(), kind, picks: dice.times(6, () => dice.below(1000)) };
  }

  #plain(): Step {
    const dice = this.#dice;
    const what = dice.one(plainDoings);
    return { do: 'plain', what, id: this.#id(), picks: dice.times(4, () => dice.below(1000)) };
  }

  #fault(): Step[] {
    const dice = this.#dice;
    const device = this.#device();
    const picks = dice.times(4, () => dice.below(1000));
    const one = dice.below(100);
    if (one < 60) {
      const fault = dice.one(wireFaults);
      const on = dice.one<Trap['on']>(['all', 'batch', 'batch', 'pull']);
      const isLong = fault.startsWith('p') || fault === 'refused';
      const count = isLong ? 1 + dice.below(8) : 1 + dice.below(3);
      return [{ do: 'trap', device, trap: { fault, skip: dice.below(3), count, on } }];
    }
    if (one < 76) return [{ do: 'device-fault', device, fault: dice.one(deviceFaults), picks }];
    if (one < 88) return [{ do: 'rights', change: dice.one(rightsChanges), picks }];
    const fault = dice.one(serverFaults);
    if (fault !== 'restore-files' && fault !== 'restore-command')
      return [{ do: 'server-fault', fault, picks }];
    const { steps } = this.#plan;
    if (!steps.some((step) => step.do === 'back-up')) steps.push({ do: 'back-up' });
    return [{ do: 'server-fault', fault, picks }, ...(dice.chance(0.5) ? [{ do: 'back-up' } as const] : [])];
  }

  /** Every suitable scene, in random order. */
  #scenes(): Step[][] {
    const dice = this.#dice;
    const left = Object.values(this.#makers());
    const scenes: Step[][] = [];
    while (left.length > 0) scenes.push(...left.splice(dice.below(left.length), 1).map((make) => make()));
    return scenes.filter((steps) => steps.every((step) => this.#isFair(step)));
  }

  /** Makers of all scenes, by name. */
  #makers(): Record<string, () => Step[]> {
    const stage = this.#stage();
    return {
      ...new Scenes(stage).all(),
      ...new OrderScenes(stage).all(),
      ...new FollowUpScenes(stage).all(),
      ...(this.#plan.station === true ? new StationScenes(stage).all() : {}),
    };
  }

  #stage(): Stage {
    const { people, devices, guides } = this.#plan;
    return new Stage({ dice: this.#dice, people, devices, guides, nextId: () => this.#id() });
  }

  /** A fault that spares an old app what it was not made for. */
  #fairFault(): Step[] {
    for (;;) {
      const steps = this.#fault();
      if (steps.every((step) => this.#isFair(step))) return steps;
    }
  }

  #isFair(step: Step): boolean {
    const { old } = this.#plan;
    if (old === undefined) return true;
    if (step.do === 'server-fault') return oldFaults.includes(step.fault);
    if (step.do === 'trap') return step.device !== old || oldFaults.includes(step.trap.fault);
    if (step.do === 'device-fault') return step.device !== old || oldFaults.includes(step.fault);
    return true;
  }

  /** The last device is shared: people sign in and out there. */
  get #kiosk(): number {
    return this.#plan.devices.length - 1;
  }

  #device(): number {
    const { devices, station } = this.#plan;
    return this.#dice.below(devices.length + (station === true ? 1 : 0));
  }

  #id(): number {
    return (this.#last += 1);
  }
}
