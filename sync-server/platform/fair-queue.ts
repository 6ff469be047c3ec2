import { Problem } from '#shared/api/problem.ts';

interface FairQueueOptions {
  /** Maximum number of pieces of work at the same time. */
  parallel: number;
  /** Maximum number of waiting pieces, of all callers together. */
  mostWaiting: number;
  /** Maximum number of waiting pieces of one caller. */
  mostOfOne: number;
  /** `Retry-After` of a refusal, seconds. */
  retryAfterSeconds: number;
}

interface Waiting {
  start: () => void;
  refuse: (problem: Problem) => void;
}

/**
 * Runs a limited number of pieces of work at the same time, and lets a limited number wait. Not p-limit or p-queue,
 * because they have one queue for all callers.
 *
 * - BUDGET-1 Callers take turns (a person, or an address block for anonymous callers), so that a caller with much work
 *   waits for its own.
 * - BUDGET-2 The number of waiting pieces is limited, per caller and in total. Beyond that the answer is 503 with
 *   `Retry-After` and the code `server-busy`, without any effect: the newest piece of the caller with the most waiting
 *   pieces is refused.
 * - BUDGET-4 Passwords are hashed in two queues: one for callers who are signed in (signing, changing a password), one
 *   for all others (`features/tokens/passwords.ts`). In the latter, a caller is an IPv4 address or a /64 of IPv6.
 *   Fifty sign-ins of one caller may wait, because a workshop may share an address, and two hundred in total.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #running = 0;
  #waiting = 0;
  /** Waiting work, by caller. The caller whose turn is next comes first. */
  readonly #lines = new Map<string, Waiting[]>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` when it is the turn of `caller`. `mostOfOne` overrides the option for this kind of work.
   * @throws Problem 503 `server-busy` with `Retry-After`, if too much work is waiting
   */
  async run<T>(
    caller: string,
    work: () => Promise<T>,
    mostOfOne: number = this.#options.mostOfOne,
  ): Promise<T> {
    if (this.#running >= this.#options.parallel) await this.#turn(caller, mostOfOne);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  #turn(caller: string, mostOfOne: number): Promise<void> {
    const own = this.#lines.get(caller) ?? [];
    if (own.length >= mostOfOne) throw busy(this.#options.retryAfterSeconds);
    if (this.#waiting >= this.#options.mostWaiting) this.#makeRoom(own.length);
    return new Promise((start, refuse) => {
      own.push({ start, refuse });
      this.#lines.set(caller, own);
      this.#waiting += 1;
    });
  }

  /**
   * Refuses the newest piece of the longest queue, if that queue stays longer than the new caller's. `own`: length of
   * the latter.
   */
  #makeRoom(own: number): void {
    const none: [string, Waiting[]] = ['', []];
    const longer = (one: [string, Waiting[]], other: [string, Waiting[]]): [string, Waiting[]] =>
      other[1].length > one[1].length ? other : one;
    const [caller, longest] = [...this.#lines].reduce(longer, none);
    if (longest.length <= own + 1) throw busy(this.#options.retryAfterSeconds);
    longest.pop()?.refuse(busy(this.#options.retryAfterSeconds));
    this.#waiting -= 1;
    if (longest.length === 0) this.#lines.delete(caller);
  }

  /** Starts the next piece of work, of the caller whose turn it is. */
  #startNext(): void {
    const [first] = this.#lines;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [caller, line] = first;
    const next = line.shift();
    this.#waiting -= 1;
    this.#lines.delete(caller);
    if (line.length > 0) this.#lines.set(caller, line);
    next?.start();
  }
}

/** The refusal of work that exceeds a limit. */
export function busy(retryAfterSeconds: number): Problem {
  return new Problem('unavailable', 'The server is busy; nothing was done. Try again in some seconds', {
    code: 'server-busy',
    retryAfterSeconds,
  });
}
