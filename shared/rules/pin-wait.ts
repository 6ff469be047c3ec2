/** Wrong PINs in a row, and when the last one was tried (Unix time, ms). */
export interface PinTries {
  wrong: number;
  at: number;
}

/** `now`: Unix time, ms. `monotonic`: a clock that nobody sets, ms. */
export interface Clocks {
  now(): number;
  monotonic(): number;
}

/** After this number of wrong PINs in a row, a person waits. */
export const freeTries = 5;

/** After `free` wrong tries a person waits `shortest` ms, and twice as long after each further one, up to `longest` ms. */
export interface WaitRule {
  free: number;
  shortest: number;
  longest: number;
}

/** The rule for the PIN of one person or device. */
export const pinWaitRule: WaitRule = { free: freeTries, shortest: 30_000, longest: 15 * 60_000 };

/** The wait after this number of wrong PINs, ms. */
function waitAfter(wrong: number, { free, shortest, longest }: WaitRule): number {
  return wrong < free ? 0 : Math.min(shortest * 2 ** (wrong - free), longest);
}

/**
 * How long a person waits after wrong PINs. A wait that this process began, or looked at, ends by the monotonic clock
 * alone, so that setting the clock changes nothing. What passed before the program started is only known from the clock
 * of the system, which anybody at the device may set. If it was set back, the whole wait begins again: it never becomes
 * shorter, and never longer than the longest. If it was set ahead, which looks like a wait that is over, the shortest wait
 * remains after each start.
 */
export class PinWait {
  readonly #clocks: Clocks;
  readonly #rule: WaitRule;
  #running: { tries: PinTries; since: number; length: number } | undefined;

  constructor(clocks: Clocks, rule: WaitRule = pinWaitRule) {
    this.#clocks = clocks;
    this.#rule = rule;
  }

  /** Begins the whole wait after a try. */
  begin(tries: PinTries): void {
    this.#running = { tries, since: this.#clocks.monotonic(), length: waitAfter(tries.wrong, this.#rule) };
  }

  /** No wait is due after these tries: the last one was right. */
  end(tries: PinTries): void {
    this.#running = { tries, since: this.#clocks.monotonic(), length: 0 };
  }

  /** Time until the next try, whole seconds, rounded up. */
  secondsLeft(tries: PinTries): number {
    const { since, length } = this.#waitOf(tries);
    return Math.max(0, Math.ceil((since + length - this.#clocks.monotonic()) / 1000));
  }

  #waitOf(tries: PinTries): { since: number; length: number } {
    const running = this.#running;
    if (running?.tries.wrong === tries.wrong && running.tries.at === tries.at) return running;
    const whole = waitAfter(tries.wrong, this.#rule);
    const passed = Math.max(0, this.#clocks.now() - tries.at);
    const length = Math.max(whole - passed, Math.min(whole, this.#rule.shortest));
    this.#running = { tries, since: this.#clocks.monotonic(), length };
    return this.#running;
  }
}
