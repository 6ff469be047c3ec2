import { lead, news, otherThan, pick, workOn } from './order-stage.ts';
import type { Step } from './plan.ts';
import type { Stage } from './stage.ts';

/**
 * Scenes about work orders: a worker, a lead, and sometimes another worker meet with a fault between two moments. Each
 * starts at a quiet point.
 */
export class OrderScenes {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Makers of the scenes, by name. */
  all(): Record<string, () => Step[]> {
    return {
      unansweredReport: () => this.unansweredReport(),
      staleDecision: () => this.staleDecision(),
      unansweredDecision: () => this.unansweredDecision(),
      finishedWithReasons: () => this.finishedWithReasons(),
      finishedAfterChange: () => this.finishedAfterChange(),
      handedOver: () => this.handedOver(),
      takenOver: () => this.takenOver(),
      offeredAndHidden: () => this.offeredAndHidden(),
      leadGone: () => this.leadGone(),
      leadLeftWithDecision: () => this.leadLeftWithDecision(),
      restoredReports: () => this.restoredReports(),
      reportOfHiddenGuide: () => this.reportOfHiddenGuide(),
    };
  }

  /** A report or its response is lost, and the report is repeated while a value waits behind it. */
  unansweredReport(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const fault = this.#stage.cast.dice.one<'lost' | 'refused'>(['lost', 'refused']);
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 5000),
      ...this.#stage.unanswered(device, act(device, 'report', pick.aboutSomethingElse, 0), fault),
      act(device, 'report', pick.aboutValueWithPhoto, 0),
      act(device, 'limit-value', pick.badTorque, 0),
      ...this.#stage.backWithoutNews(device),
      { do: 'run', device, ms: 30_000 },
      act(device, 'report', pick.aboutValue, 5000),
      news(lead),
    ];
  }

  /** A lead decides offline about a value that is measured again, and later decides about the new one. */
  staleDecision(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 5000),
      news(lead),
      { do: 'online', device: lead, on: false },
      act(lead, 'decide-deviation', pick.any, 0),
      act(device, 'limit-value', pick.badTorque, 5000),
      { do: 'online', device: lead, on: true },
      news(lead),
      { do: 'quiet' },
      act(lead, 'decide-deviation', pick.any, 5000),
      news(device),
    ];
  }

  /** The response to a decision is lost; another decision and another report follow. */
  unansweredDecision(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 5000),
      news(lead),
      ...this.#stage.unanswered(lead, act(lead, 'decide-deviation', pick.any, 0)),
      act(lead, 'decide-deviation', pick.any, 0),
      act(device, 'report', pick.aboutValue, 5000),
      ...this.#stage.backWithoutNews(lead),
      { do: 'run', device: lead, ms: 30_000 },
      news(device),
    ];
  }

  /** An order with an unreported value is finished with reasons for missing values, and the response is lost. */
  finishedWithReasons(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 5000),
      ...this.#stage.unanswered(device, act(device, 'finish-order', pick.withReasons, 0)),
      ...this.#stage.backWithoutNews(device),
      { do: 'run', device, ms: 30_000 },
      { do: 'quiet' },
      act(device, 'report', pick.aboutValue, 5000),
    ];
  }

  /** An order is finished offline with reasons, while the step with the missing values is removed from the guide. */
  finishedAfterChange(): Step[] {
    const { device, begin, act, guide } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 5000),
      { do: 'online', device, on: false },
      act(device, 'finish-order', pick.withReasons, 0),
      // Authors edit every public guide.
      this.#stage.rights('role-author', lead),
      this.#stage.act(lead, 'save-guide', 10_000, { guide, picks: [0, 4, 0, 0, 1, 0] }),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 30_000 },
    ];
  }

  /** An order is suspended offline with a note, and continued and finished by another person. */
  handedOver(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const other = otherThan(this.#stage, device);
    return [
      ...begin,
      { do: 'online', device, on: false },
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutSomethingElse, 0),
      act(device, 'suspend-order', pick.any, 0),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 10_000 },
      news(other),
      { do: 'quiet' },
      act(other, 'assume-order', pick.any, 5000),
      act(other, 'report', pick.aboutValue, 5000),
      act(other, 'finish-order', pick.withReasons, 5000),
      news(device),
    ];
  }

  /** A worker continues their own suspended order offline, while another person assumes it; the worker keeps the work. */
  takenOver(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const other = otherThan(this.#stage, device);
    return [
      ...begin,
      act(device, 'suspend-order', pick.any, 5000),
      { do: 'online', device, on: false },
      act(device, 'assume-order', pick.any, 0),
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 0),
      act(device, 'suspend-order', pick.any, 0),
      act(device, 'assume-order', pick.any, 0),
      act(device, 'report', pick.aboutSomethingElse, 0),
      act(device, 'finish-order', pick.withReasons, 0),
      news(other),
      act(other, 'assume-order', pick.any, 5000),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 30_000 },
      { do: 'quiet' },
      // An odd number saves the work as an order of its own.
      act(device, 'own-order', [0, 1, 0, 0, 0, 0], 10_000),
    ];
  }

  /** The guide of a suspended order with deviations becomes private while those who were offered it are offline. */
  offeredAndHidden(): Step[] {
    const { device, begin, act, guide } = workOn(this.#stage);
    const other = otherThan(this.#stage, device);
    return [
      ...begin,
      this.#stage.rights('disallow', this.#stage.person(other), guide),
      act(device, 'report', pick.aboutSomethingElse, 0),
      act(device, 'suspend-order', pick.any, 5000),
      news(other),
      { do: 'online', device: other, on: false },
      this.#stage.rights('guide-private', lead, guide),
      act(device, 'report', pick.aboutSomethingElse, 5000),
      { do: 'online', device: other, on: true },
      news(other),
    ];
  }

  /** Another person becomes the lead while the lead is offline, and a deviation changes meanwhile. */
  leadGone(): Step[] {
    const { device, person, begin, act } = workOn(this.#stage);
    const isBack = this.#stage.pick() % 2 === 0;
    const back: Step[] = [{ do: 'quiet' }, this.#stage.rights('line-lead', lead), news(lead)];
    return [
      ...begin,
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 5000),
      news(lead),
      act(lead, 'decide-deviation', pick.any, 5000),
      { do: 'online', device: lead, on: false },
      this.#stage.rights('line-lead', person),
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutSomethingElse, 5000),
      { do: 'online', device: lead, on: true },
      news(lead),
      ...(isBack ? back : []),
    ];
  }

  /** A lead decides, decides twice again offline, and leaves the team meanwhile. */
  leadLeftWithDecision(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'report', pick.aboutSomethingElse, 5000),
      news(lead),
      act(lead, 'decide-deviation', pick.any, 5000),
      { do: 'online', device: lead, on: false },
      act(lead, 'decide-deviation', pick.any, 0),
      act(lead, 'decide-deviation', pick.any, 0),
      this.#stage.rights('line-remove', lead),
      { do: 'online', device: lead, on: true },
      news(lead),
    ];
  }

  /** The server is restored to before reports, decisions and the end of an order. */
  restoredReports(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const isLateBackup = this.#stage.pick() % 2 === 0;
    const backUp: Step[] = [{ do: 'back-up' }];
    return [
      ...(isLateBackup ? [] : backUp),
      ...begin,
      ...(isLateBackup ? backUp : []),
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 5000),
      act(device, 'report', pick.aboutSomethingElse, 5000),
      news(lead),
      act(lead, 'decide-deviation', pick.any, 5000),
      act(device, 'suspend-order', pick.any, 5000),
      news(device),
      { do: 'server-fault', fault: 'restore-command', picks: [0, 0, 0, 0] },
      news(lead),
      { do: 'run', device, ms: 60_000 },
    ];
  }

  /** A guide is hidden from a worker who has unsent reports and values in an order of it. */
  reportOfHiddenGuide(): Step[] {
    const { device, person, begin, act, guide } = workOn(this.#stage);
    return [
      ...begin,
      this.#stage.rights('disallow', person, guide),
      { do: 'online', device, on: false },
      act(device, 'limit-value', pick.badTorque, 0),
      act(device, 'report', pick.aboutValue, 0),
      act(device, 'report', pick.aboutSomethingElse, 0),
      act(device, 'finish-order', pick.withReasons, 0),
      this.#stage.rights('guide-private', lead, guide),
      { do: 'online', device, on: true },
      { do: 'run', device, ms: 60_000 },
    ];
  }
}
