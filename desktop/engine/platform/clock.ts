import type { Moment } from '#shared/model/work-log.ts';

import type { Environment } from './ports.ts';

/** The server's time as this device estimates it. */
export interface Clock {
  /** Estimated server clock minus device clock in ms; 0 before the first answer, and while they may be equal. */
  offset(): number;
  /** Estimated server time in ms since 1970. */
  serverNow(): number;
  /** What a work-log call says about when it happened. */
  moment(): Required<Pick<Moment, 'at' | 'mono' | 'session' | 'offset'>>;
}

/** One reading of the server's clock: `serverNow` (ms since 1970) arrived between two monotonic readings. */
export interface ClockReading {
  serverNow: number;
  sentAt: number;
  receivedAt: number;
  /** How far off `serverNow` itself may be, in ms. */
  rounding?: number;
}

// A reading ages: a worse but recent one replaces it, because clocks are set and drift.
const READING_LIFE = 10 * 60_000;

/** Learns the server's offset from the answers of its requests; the least uncertain reading counts. */
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
      // The two cannot both be true any more: one of the clocks was set.
      Math.abs(offset - best.offset) > uncertainty + best.uncertainty;
    if (replaces) this.#best = { offset, uncertainty, at: receivedAt };
  }

  /** Learns from a `Date` header, which counts whole seconds: the clock was half a second further on average. */
  learnFromHeader(date: string | null, sentAt: number, receivedAt: number): void {
    const serverNow = date === null ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(serverNow))
      this.learn({ serverNow: serverNow + 500, sentAt, receivedAt, rounding: 500 });
  }

  /** Within its uncertainty an estimate tells nothing: two clocks that may be equal are taken as equal. */
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
