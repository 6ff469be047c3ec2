import { lead, news, otherThan, pick, workOn } from './order-stage.ts';
import type { Step } from './plan.ts';
import type { Stage } from './stage.ts';

/** Scenes about follow-up orders of deviations. Each starts at a quiet point. */
export class FollowUpScenes {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Makers of the scenes, by name. */
  all(): Record<string, () => Step[]> {
    return {
      twoFollowUps: () => this.twoFollowUps(),
      unansweredFollowUp: () => this.unansweredFollowUp(),
    };
  }

  /**
   * A lead and an administrator plan a follow-up order of one deviation offline; the lead keeps the second as an order of its
   * own. The first one is withdrawn, and the lead plans another.
   */
  twoFollowUps(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    const other = otherThan(this.#stage, lead);
    return [
      ...begin,
      act(device, 'report', pick.aboutSomethingElse, 5000),
      this.#stage.rights('role-admin', this.#stage.person(other)),
      news(lead),
      news(other),
      { do: 'online', device: lead, on: false },
      { do: 'online', device: other, on: false },
      act(lead, 'plan-follow-up', pick.any, 0),
      act(other, 'plan-follow-up', pick.any, 0),
      { do: 'online', device: other, on: true },
      news(other),
      { do: 'online', device: lead, on: true },
      news(lead),
      { do: 'quiet' },
      act(lead, 'own-follow-up', pick.any, 5000),
      act(other, 'withdraw-follow-up', pick.any, 5000),
      news(lead),
      { do: 'quiet' },
      act(lead, 'plan-follow-up', pick.any, 5000),
      news(device),
    ];
  }

  /** The response to a follow-up order is lost; it is repeated, withdrawn offline, and followed by another. */
  unansweredFollowUp(): Step[] {
    const { device, begin, act } = workOn(this.#stage);
    return [
      ...begin,
      act(device, 'report', pick.aboutSomethingElse, 5000),
      news(lead),
      ...this.#stage.unanswered(lead, act(lead, 'plan-follow-up', pick.any, 0)),
      act(lead, 'withdraw-follow-up', pick.any, 0),
      act(lead, 'plan-follow-up', pick.any, 0),
      { do: 'online', device: lead, on: true },
      { do: 'run', device: lead, ms: 30_000 },
      news(device),
    ];
  }
}
