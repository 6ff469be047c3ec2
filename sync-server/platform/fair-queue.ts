import { Problem } from '#shared/api/problem.ts';

interface FairQueueOptions {
  /** How much is done at the same time. */
  parallel: number;
  /** How much may wait, of all callers together. */
  mostWaiting: number;
  /** How much of one caller may wait. */
  mostOfOne: number;
  /** Who is refused tries again after so many seconds. */
  retryAfterSeconds: number;
}

interface Waiting {
  start: () => void;
  refuse: (problem: Problem) => void;
}

/**
 * Does some work at a time and lets a bounded number wait; callers take turns, so that one who asks for much waits for
 * its own. Where all places are taken, the newest of whoever has most of them is refused. This fairness is why it is no
 * library: p-limit and p-queue know one line, with priorities at most.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #running = 0;
  #waiting = 0;
  /** Waiting work, by caller; the caller whose turn it is comes first. */
  readonly #lines = new Map<string, Waiting[]>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Does `work` when it is the turn of `caller`. `mostOfOne`: how much of a caller may wait, where it is another number
   * for work of this kind.
   * @throws Problem 503 `server-busy` with `Retry-After`, when too much waits already
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
      this.#passOn();
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

  /** Refuses the newest of the longest line, where that is longer than the line of who comes now will be. */
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

  /** The place of work that is done goes to the first of the caller whose turn it is. */
  #passOn(): void {
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

/** The refusal of what there is no place for. */
export function busy(retryAfterSeconds: number): Problem {
  return new Problem('unavailable', 'The server is busy; nothing was done. Try again in some seconds', {
    code: 'server-busy',
    retryAfterSeconds,
  });
}
