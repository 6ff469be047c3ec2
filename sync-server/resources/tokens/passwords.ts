import { hash, verify, type Options } from '@node-rs/argon2';

/** argon2id at 64 MiB, t=3, p=1: three times the OWASP floor in memory, about 0.1 s. */
const options = {
  algorithm: 2 /* argon2id */,
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 1,
} as const satisfies Options;

/** At most this many hashes are computed at once, so that a burst of logins cannot take all the memory. */
const maximumParallel = 2;

/** Hashes and checks passwords in worker threads of the library, never on the event loop. */
export class Passwords {
  readonly #options: Options & { memoryCost: number; timeCost: number };
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #decoy: Promise<string> | undefined;
  readonly #turns = new Map<string, Promise<unknown>>();

  /** `overrides` lower the cost in tests. */
  constructor(overrides: { memoryCost?: number; timeCost?: number } = {}) {
    this.#options = { ...options, ...overrides };
  }

  hash(password: string): Promise<string> {
    return this.#limited(() => hash(password, this.#options));
  }

  /** Checks against `stored`; without one (unknown account) it works as long and answers false. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    this.#decoy ??= this.hash('a password that nobody has');
    const subject = stored ?? (await this.#decoy);
    const matches = await this.#limited(() => verify(subject, password));
    return matches && stored !== null;
  }

  /** True when `stored` was made with a lower cost than today's. */
  needsRehash(stored: string): boolean {
    return !stored.includes(`m=${this.#options.memoryCost},t=${this.#options.timeCost},`);
  }

  /**
   * Runs the work of one subject one after another, so that many tries at once cannot all be checked before the
   * first of them has counted.
   */
  async inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(subject) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#turns.set(subject, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(subject) === turn) this.#turns.delete(subject);
    }
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= maximumParallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
