import type { Moment } from '#shared/model/work-log.ts';

import type { Environment } from './ports.ts';

/** The server's time as this device estimates it. */
export interface Clock {
  /** Estimated server clock minus device clock in ms; 0 before the first answer, and while they may be equal. */
  offset(): number;
  /** Estimated server time in ms since 1970. */
  serverNow(): number;
  /** The time of an event, as work-log calls send it. */
  moment(): Required<Pick<Moment, 'at' | 'mono' | 'session' | 'offset'>>;
}

/** One reading of the server's clock: `serverNow` (ms since 1970) arrived between two monotonic readings. */
export interface ClockReading {
  serverNow: number;
  sentAt: number;
  receivedAt: number;
  /** Uncertainty of `serverNow` itself, in ms. */
  rounding?: number;
}

// After this time (ms) a less certain reading replaces the best one, because clocks are set and drift.
const READING_LIFE = 10 * 60_000;

/** Estimates the offset of the server's clock from its answers. The least uncertain reading counts. */
export class ServerClock implements Clock {
  readonly #environment: Environment;
  #best: { offset: number; uncertainty: number; at: number } | null = null;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  learn({ serverNow, sentAt, receivedAt, rounding = 0 }: ClockReading): void {
    const deviceNow = this.#environment.now() - (this.#environment.monotonic() - receivedAt);
    const onTheWay = Math.max(0, receivedAt - sentAt) / 2;
    const offset = serverNow + onTheWay - deviceNow;
    const uncertainty = onTheWay + rounding;
    const best = this.#best;
    const replaces =
      best === null ||
      uncertainty <= best.uncertainty ||
      receivedAt - best.at > READING_LIFE ||
      // The two readings contradict each other: one of the clocks was set.
      Math.abs(offset - best.offset) > uncertainty + best.uncertainty;
    if (replaces) this.#best = { offset, uncertainty, at: receivedAt };
  }

  /** Learns from a `Date` header. It has whole seconds, so half a second is added on average. */
  learnFromHeader(date: string | null, sentAt: number, receivedAt: number): void {
    const serverNow = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(serverNow))
      this.learn({ serverNow: serverNow + 500, sentAt, receivedAt, rounding: 500 });
  }

  /** 0 if the estimate is within its uncertainty, since the clocks may be equal then. */
  offset(): number {
    const { offset, uncertainty } = this.#best ?? { offset: 0, uncertainty: 0 };
    return Math.abs(offset) <= uncertainty ? 0 : Math.round(offset);
  }

  serverNow(): number {
    return this.#environment.now() + this.offset();
  }

  moment(): Required<Pick<Moment, 'at' | 'mono' | 'session' | 'offset'>> {
    return {
      at: this.#environment.now(),
      mono: this.#environment.monotonic(),
      session: this.#environment.pageSession,
      offset: this.offset(),
    };
  }
}
