import type { Environment } from '#desktop/engine/platform/ports.ts';

/** Notices when nobody has touched the device for some time. */
export class Presence {
  readonly #environment: Pick<Environment, 'now' | 'monotonic' | 'setTimer'>;
  readonly #left: () => void;
  #last: { now: number; monotonic: number } | null = null;
  #idle = 0;
  #cancel: () => void = () => undefined;

  /** `left`: called when the time is over. */
  constructor(environment: Pick<Environment, 'now' | 'monotonic' | 'setTimer'>, left: () => void) {
    this.#environment = environment;
    this.#left = left;
  }

  /** A touch. `seconds`: how long the device may stay untouched. After a sleep of the device the time may be over already. */
  touch(seconds: number): void {
    this.#idle = seconds * 1000;
    if (this.#last !== null && this.#rest() <= 0) return this.#left();
    const isRunning = this.#last !== null;
    this.#last = { now: this.#environment.now(), monotonic: this.#environment.monotonic() };
    if (!isRunning) this.#wait();
  }

  end(): void {
    this.#last = null;
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = this.#environment.setTimer(() => {
      if (this.#last === null) return;
      if (this.#rest() <= 0) this.#left();
      else this.#wait();
    }, this.#rest());
  }

  /** Time that is left, ms. The monotonic clock stands still while some devices sleep, the other one can be set. */
  #rest(): number {
    if (this.#last === null) return this.#idle;
    const { now, monotonic } = this.#last;
    const passed = Math.max(this.#environment.now() - now, this.#environment.monotonic() - monotonic);
    return this.#idle - passed;
  }
}
