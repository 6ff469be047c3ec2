import type { Dice } from '../random.ts';
import type { Doing, DoingKind, OfficeDoing, RightsChange, StationDoing, Step, Trap } from './plan.ts';

/** The people, devices and guides available to a scene. */
export interface Cast {
  dice: Dice;
  people: number;
  /** The initial person of each device, by number. */
  devices: readonly number[];
  /** The number of initial guides. */
  guides: number;
  /** A number that no other action of the plan has. */
  nextId(): number;
}

/** Draws people, devices and guides of scenes, and makes their steps. */
export class Stage {
  readonly #cast: Cast;

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  get cast(): Cast {
    return this.#cast;
  }

  /** The calls are sent, and the device goes offline before the response. */
  unanswered(device: number, done: Step, fault: 'lost' | 'refused' = 'lost'): Step[] {
    return [
      { do: 'online', device, on: false },
      done,
      this.trap(device, { fault, count: 1, on: 'batch' }),
      ...this.backWithoutNews(device),
      { do: 'online', device, on: false },
    ];
  }

  /** The network is back, and the response to the first pull takes so long that calls are sent before it. */
  backWithoutNews(device: number): Step[] {
    return [
      this.trap(device, { fault: 'slow', count: 1, on: 'pull', ms: 3000 }),
      { do: 'online', device, on: true },
    ];
  }

  act(
    device: number,
    kind: DoingKind,
    ms: number,
    { picks = this.picks(), ...named }: Partial<Pick<Doing, 'guide' | 'order' | 'picks'>> = {},
  ): Extract<Step, { do: 'act' }> {
    const doing = { id: this.#cast.nextId(), kind, picks, ...named };
    return { do: 'act', device, doing, ms };
  }

  trap(device: number, trap: Omit<Trap, 'skip'>): Step {
    return { do: 'trap', device, trap: { ...trap, skip: 0 } };
  }

  rights(change: RightsChange, person: number, guide = this.guide()): Step {
    return { do: 'rights', change, picks: [person, 0, this.pick(), 0], guide };
  }

  /** The station, in plans that have one. */
  get station(): number {
    return this.#cast.devices.length;
  }

  /** Somebody shows a badge or PIN at the station, or locks it. */
  at(what: StationDoing, person: number): Step {
    return { do: 'station', what, person };
  }

  office(what: OfficeDoing, person: number): Step {
    return { do: 'office', what, person, picks: [this.pick()], id: this.#cast.nextId() };
  }

  pick(): number {
    return this.#cast.dice.below(1000);
  }

  picks(): number[] {
    return this.#cast.dice.times(6, () => this.pick());
  }

  /** One of the first guides that everyone sees: every fourth is private (`server-content.ts`). */
  guide(): number {
    for (;;) {
      const guide = 1 + this.#cast.dice.below(this.#cast.guides);
      if (guide % 4 !== 0) return guide;
    }
  }

  /** One of the first guides, by the client without a device: it and the people write them in turn. */
  guideOfPlain(): number {
    const { guides, people } = this.#cast;
    const authors = people + 1;
    return authors * (1 + this.#cast.dice.below(Math.floor(guides / authors)));
  }

  person(device: number): number {
    return this.#cast.devices[device] ?? 0;
  }

  /** Not the last device, where people sign in and out. */
  device(): number {
    return this.#cast.dice.below(this.#cast.devices.length - 1);
  }

  /** Devices of two people. */
  two(): [number, number] {
    const one = this.device();
    for (;;) {
      const other = this.device();
      if (this.person(other) !== this.person(one)) return [one, other];
    }
  }
}
