import { workOn } from './order-stage.ts';
import type { DoingKind, RightsChange, Step, WireFault } from './plan.ts';
import type { Stage } from './stage.ts';

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
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Makers of the scenes, by name. */
  all(): Record<string, () => Step[]> {
    return {
      overtakenSave: () => this.overtakenSave(),
      lateRefusal: () => this.lateRefusal(),
      aheadBeforeRestore: () => this.aheadBeforeRestore(),
      leftTeam: () => this.leftTeam(),
      removedAndRewritten: () => this.removedAndRewritten(),
      longDraft: () => this.longDraft(),
      undoneElsewhere: () => this.undoneElsewhere(),
      partsOfOneSupplier: () => this.partsOfOneSupplier(),
      foreignUpload: () => this.foreignUpload(),
      lostDraft: () => this.lostDraft(),
      changedAndRemoved: () => this.changedAndRemoved(),
    };
  }

  /** The response to a save is lost while another save waits behind it, and another person edits the same text. */
  overtakenSave(): Step[] {
    const [one, other] = this.#stage.two();
    const save = (device: number, ms: number): Step =>
      this.#stage.act(device, 'save-guide', ms, { guide, picks: edit.introduction });
    const guide = this.#stage.guide();
    return [
      ...this.#stage.unanswered(one, save(one, 0)),
      save(one, 0),
      { do: 'run', device: other, ms: 5000 },
      save(other, 3000),
      ...this.#stage.backWithoutNews(one),
      { do: 'run', device: one, ms: 60_000 },
    ];
  }

  /** A comment that the server has is changed and then removed on a device without a network. */
  changedAndRemoved(): Step[] {
    const device = this.#stage.device();
    const guide = this.#stage.guide();
    return [
      this.#stage.act(device, 'comment', 5000, { guide }),
      { do: 'online', device, on: false },
      this.#stage.act(device, 'edit-comment', 2000),
      this.#stage.act(device, 'remove-comment', 2000),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 30_000 },
    ];
  }

  /** A refusal for an ended session arrives after the person has signed in again. */
  lateRefusal(): Step[] {
    const device = this.#stage.device();
    const person = this.#stage.person(device);
    return [
      this.#stage.rights('end-tokens', person),
      this.#stage.trap(device, { fault: 'slow', count: 2, on: 'pull', ms: 4000 }),
      this.#stage.act(device, 'sync-now', 0),
      { do: 'sign-in', device, person, other: false },
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** A device starts once with a clock months ahead, before the server is restored from an older backup. */
  aheadBeforeRestore(): Step[] {
    const device = this.#stage.device();
    const guide = this.#stage.guide();
    return [
      { do: 'back-up' },
      this.#stage.act(device, 'comment', 2000, { guide }),
      this.#stage.act(device, 'save-guide', 5000, { guide, picks: edit.introduction }),
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
    const device = this.#stage.device();
    const person = this.#stage.person(device);
    const guide = this.#stage.guideOfPlain();
    const rights = (change: RightsChange): Step => this.#stage.rights(change, person, guide);
    return [
      rights('role-author'),
      rights('disallow'),
      rights('team-add'),
      rights('guide-private'),
      rights('team-allow'),
      { do: 'run', device, ms: 10_000 },
      { do: 'online', device, on: false },
      rights('team-remove'),
      { do: 'plain', what: 'step', id: this.#stage.cast.nextId(), picks: [0, 0, 0, 0], guide },
      rights('team-disallow'),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 10_000 },
    ];
  }

  /** A step is removed on an offline device, while a client without a device changes its title. */
  removedAndRewritten(): Step[] {
    const device = this.#stage.device();
    const guide = this.#stage.guide();
    return [
      { do: 'run', device, ms: 5000 },
      this.#stage.act(device, 'save-guide', 5000, { guide, picks: edit.insertStep }),
      { do: 'online', device, on: false },
      this.#stage.act(device, 'save-guide', 0, { guide, picks: edit.removeFirstStep }),
      { do: 'plain', what: 'step', id: this.#stage.cast.nextId(), picks: [0, 0, 0, 0], guide },
      ...this.#stage.backWithoutNews(device),
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** An app crashes while a draft with many edits is rewritten. */
  longDraft(): Step[] {
    const device = this.#stage.device();
    const guide = this.#stage.guide();
    const type = (): Step => this.#stage.act(device, 'edit-draft', 200, { guide, picks: edit.introduction });
    return [
      // The draft starts without edits.
      this.#stage.act(device, 'save-guide', 20_000, { guide, picks: edit.introduction }),
      ...this.#stage.cast.dice.times(editsInBatches, type),
      {
        do: 'device-fault',
        device,
        fault: 'kill-in-write',
        picks: [this.#stage.pick(), this.#stage.pick(), 0, 0],
      },
      type(),
      { do: 'restart', device },
    ];
  }

  /**
   * The response to a mark is lost, and the mark is removed on another device of the same person before the call is
   * repeated.
   */
  undoneElsewhere(): Step[] {
    const device = this.#stage.device();
    const person = this.#stage.person(device);
    const { devices, dice } = this.#stage.cast;
    const shared = devices.length - 1;
    const own = devices.findIndex((one, index) => index !== device && one === person && index < shared);
    const other = own === -1 ? shared : own;
    const guide = this.#stage.guide();
    const kind = dice.one<DoingKind>(['favorite', 'complete']);
    return [
      ...(other === shared ? [{ do: 'sign-in', device: shared, person, other: false } as const] : []),
      // Between two quiet points nothing else affects the mark, so its outcome is certain.
      { do: 'quiet' },
      ...this.#stage.unanswered(device, this.#stage.act(device, kind, 0, { guide })),
      { do: 'run', device: other, ms: 5000 },
      this.#stage.act(other, kind, 3000, { guide }),
      ...this.#stage.backWithoutNews(device),
      { do: 'quiet' },
    ];
  }

  /** Something in between answers the uploads of a photo with 200. */
  foreignUpload(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const fault = this.#stage.cast.dice.one<WireFault>(['portal-200', 'empty-200', 'foreign-json']);
    return [
      ...begin,
      { do: 'online', device, on: false },
      act(device, 'photo', this.#stage.picks(), 0),
      this.#stage.trap(device, { fault, count: 2, on: 'upload' }),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** A person edits a guide that holds another person's words, and loses it while the app is open. */
  lostDraft(): Step[] {
    const [device, other] = this.#stage.two();
    const person = this.#stage.person(device);
    const guide = this.#stage.guide();
    return [
      this.#stage.rights('role-author', person),
      this.#stage.rights('role-author', this.#stage.person(other)),
      { do: 'run', device: other, ms: 5000 },
      this.#stage.act(other, 'save-guide', 5000, { guide, picks: edit.insertStep }),
      { do: 'run', device, ms: 10_000 },
      this.#stage.act(device, 'edit-draft', 5000, { guide, picks: edit.introduction }),
      this.#stage.rights('guide-private', person, guide),
      this.#stage.rights('disallow', person, guide),
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** Two people edit two parts of one supplier on the page of an item concurrently. */
  partsOfOneSupplier(): Step[] {
    const [one, other] = this.#stage.two();
    const part = (device: number, which: number, ms: number): Step =>
      this.#stage.act(device, 'item-part', ms, { picks: [0, which, 0, 0, 0, 0] });
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
}
