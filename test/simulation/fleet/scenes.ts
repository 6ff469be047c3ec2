import type { Dice } from '../random.ts';
import type { Doing, DoingKind, RightsChange, Step, Trap } from './plan.ts';

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

/**
 * Edits of a draft until it is rewritten as a whole the next time: one for the record, 40 batches (`open-draft.ts`).
 */
const editsInBatches = 41;

/** Hours beyond the 90 days for which a device remembers sent calls. */
const monthsOfHours = 3000;

/** `picks` of an edit of a guide (`doings/guide-edits.ts`). */
const edit = {
  introduction: [0, 0, 0, 0, 1, 0],
  insertStep: [0, 3, 0, 0, 1, 0],
  removeFirstStep: [0, 4, 0, 0, 1, 0],
};

/**
 * Sequences of steps that chance rarely produces: people, devices and a fault that must meet between two particular
 * moments. People and devices are drawn at random. Each starts at a quiet point.
 */
export class Scenes {
  readonly #cast: Cast;

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  /** Makers of all scenes. */
  all(): (() => Step[])[] {
    return [
      () => this.overtakenSave(),
      () => this.lateRefusal(),
      () => this.aheadBeforeRestore(),
      () => this.leftTeam(),
      () => this.removedAndRewritten(),
      () => this.longDraft(),
      () => this.undoneElsewhere(),
      () => this.partsOfOneSupplier(),
    ];
  }

  /** The response to a save is lost while another save waits behind it, and another person edits the same text. */
  overtakenSave(): Step[] {
    const [one, other] = this.#two();
    const save = (device: number, ms: number): Step =>
      this.#act(device, 'save-guide', ms, { guide, picks: edit.introduction });
    const guide = this.#guide();
    return [
      ...this.#unanswered(one, save(one, 0)),
      save(one, 0),
      { do: 'run', device: other, ms: 5000 },
      save(other, 3000),
      ...this.#backWithoutNews(one),
      { do: 'run', device: one, ms: 60_000 },
    ];
  }

  /** A refusal for an ended session arrives after the person has signed in again. */
  lateRefusal(): Step[] {
    const device = this.#device();
    const person = this.#person(device);
    return [
      this.#rights('end-tokens', person),
      this.#trap(device, { fault: 'slow', count: 2, on: 'pull', ms: 4000 }),
      this.#act(device, 'sync-now', 0),
      { do: 'sign-in', device, person, other: false },
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** A device starts once with a clock months ahead, before the server is restored from an older backup. */
  aheadBeforeRestore(): Step[] {
    const device = this.#device();
    const guide = this.#guide();
    return [
      { do: 'back-up' },
      this.#act(device, 'comment', 2000, { guide }),
      this.#act(device, 'save-guide', 5000, { guide, picks: edit.introduction }),
      { do: 'device-fault', device, fault: 'clock-jump', picks: [monthsOfHours, 0, 0, 0] },
      { do: 'restart', device },
      { do: 'run', device, ms: 5000 },
      { do: 'server-fault', fault: 'restore-command', picks: [0, 0, 0, 0] },
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /**
   * While a device is offline its person leaves a team, a guide shared only with the team changes, and then the team
   * loses it.
   */
  leftTeam(): Step[] {
    const device = this.#device();
    const person = this.#person(device);
    const guide = this.#guideOfPlain();
    const rights = (change: RightsChange): Step => this.#rights(change, person, guide);
    return [
      rights('role-author'),
      rights('disallow'),
      rights('team-add'),
      rights('guide-private'),
      rights('team-allow'),
      { do: 'run', device, ms: 10_000 },
      { do: 'online', device, on: false },
      rights('team-remove'),
      { do: 'plain', what: 'step', id: this.#cast.nextId(), picks: [0, 0, 0, 0], guide },
      rights('team-disallow'),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 10_000 },
    ];
  }

  /** A step is removed on an offline device, while a client without a device changes its title. */
  removedAndRewritten(): Step[] {
    const device = this.#device();
    const guide = this.#guide();
    return [
      { do: 'run', device, ms: 5000 },
      this.#act(device, 'save-guide', 5000, { guide, picks: edit.insertStep }),
      { do: 'online', device, on: false },
      this.#act(device, 'save-guide', 0, { guide, picks: edit.removeFirstStep }),
      { do: 'plain', what: 'step', id: this.#cast.nextId(), picks: [0, 0, 0, 0], guide },
      ...this.#backWithoutNews(device),
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** An app crashes while a draft with many edits is rewritten. */
  longDraft(): Step[] {
    const device = this.#device();
    const guide = this.#guide();
    const type = (): Step => this.#act(device, 'edit-draft', 200, { guide, picks: edit.introduction });
    return [
      // The draft starts without edits.
      this.#act(device, 'save-guide', 20_000, { guide, picks: edit.introduction }),
      ...this.#cast.dice.times(editsInBatches, type),
      { do: 'device-fault', device, fault: 'kill-in-write', picks: [this.#pick(), this.#pick(), 0, 0] },
      type(),
      { do: 'restart', device },
    ];
  }

  /**
   * The response to a mark is lost, and the mark is removed on another device of the same person before the call is
   * repeated.
   */
  undoneElsewhere(): Step[] {
    const device = this.#device();
    const person = this.#person(device);
    const { devices, dice } = this.#cast;
    const shared = devices.length - 1;
    const own = devices.findIndex((one, index) => index !== device && one === person && index < shared);
    const other = own === -1 ? shared : own;
    const guide = this.#guide();
    const kind = dice.one<DoingKind>(['favorite', 'complete']);
    return [
      ...(other === shared ? [{ do: 'sign-in', device: shared, person, other: false } as const] : []),
      // Between two quiet points nothing else affects the mark, so its outcome is certain.
      { do: 'quiet' },
      ...this.#unanswered(device, this.#act(device, kind, 0, { guide })),
      { do: 'run', device: other, ms: 5000 },
      this.#act(other, kind, 3000, { guide }),
      ...this.#backWithoutNews(device),
      { do: 'quiet' },
    ];
  }

  /** Two people edit two parts of one supplier on the page of an item concurrently. */
  partsOfOneSupplier(): Step[] {
    const [one, other] = this.#two();
    const part = (device: number, which: number, ms: number): Step =>
      this.#act(device, 'item-part', ms, { picks: [0, which, 0, 0, 0, 0] });
    return [
      part(one, 0, 3000),
      { do: 'run', device: other, ms: 5000 },
      part(other, 1, 3000),
      { do: 'run', device: one, ms: 5000 },
      { do: 'online', device: one, on: false },
      part(one, 0, 0),
      part(other, 1, 3000),
      { do: 'online', device: one, on: true },
      { do: 'run', device: one, ms: 30_000 },
    ];
  }

  /** The calls are sent, and the device goes offline before the response. */
  #unanswered(device: number, done: Step, fault: 'lost' | 'refused' = 'lost'): Step[] {
    return [
      { do: 'online', device, on: false },
      done,
      this.#trap(device, { fault, count: 1, on: 'batch' }),
      ...this.#backWithoutNews(device),
      { do: 'online', device, on: false },
    ];
  }

  /** The network is back, and the response to the first pull takes so long that calls are sent before it. */
  #backWithoutNews(device: number): Step[] {
    return [
      this.#trap(device, { fault: 'slow', count: 1, on: 'pull', ms: 3000 }),
      { do: 'online', device, on: true },
    ];
  }

  #act(
    device: number,
    kind: DoingKind,
    ms: number,
    { guide, picks = this.#picks() }: Partial<Pick<Doing, 'guide' | 'picks'>> = {},
  ): Step {
    const doing = { id: this.#cast.nextId(), kind, picks, ...(guide === undefined ? {} : { guide }) };
    return { do: 'act', device, doing, ms };
  }

  #trap(device: number, trap: Omit<Trap, 'skip'>): Step {
    return { do: 'trap', device, trap: { ...trap, skip: 0 } };
  }

  #rights(change: RightsChange, person: number, guide = this.#guide()): Step {
    return { do: 'rights', change, picks: [person, 0, this.#pick(), 0], guide };
  }

  #pick(): number {
    return this.#cast.dice.below(1000);
  }

  #picks(): number[] {
    return this.#cast.dice.times(6, () => this.#pick());
  }

  /** One of the first guides that everyone sees: every fourth is private (`server-content.ts`). */
  #guide(): number {
    for (;;) {
      const guide = 1 + this.#cast.dice.below(this.#cast.guides);
      if (guide % 4 !== 0) return guide;
    }
  }

  /** One of the first guides, by the client without a device: it and the people write them in turn. */
  #guideOfPlain(): number {
    const { guides, people } = this.#cast;
    const authors = people + 1;
    return authors * (1 + this.#cast.dice.below(Math.floor(guides / authors)));
  }

  #person(device: number): number {
    return this.#cast.devices[device] ?? 0;
  }

  /** Not the last device, where people sign in and out. */
  #device(): number {
    return this.#cast.dice.below(this.#cast.devices.length - 1);
  }

  /** Devices of two people. */
  #two(): [number, number] {
    const one = this.#device();
    for (;;) {
      const other = this.#device();
      if (this.#person(other) !== this.#person(one)) return [one, other];
    }
  }
}
