import { availableParallelism } from 'node:os';

import { hash, verify, type Options } from '@node-rs/argon2';

import type { Context } from '#server/core/context.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { busy, FairQueue } from '#server/platform/fair-queue.ts';
import { SerialByName } from '#server/platform/serial-by-name.ts';

declare module '#server/core/services.ts' {
  interface Services {
    passwords: Passwords;
  }
}

/** argon2id at 64 MiB, t=3, p=1: three times the OWASP floor in memory, about 0.1 s. */
const options = {
  algorithm: 2 /* argon2id */,
  memoryCost: 64 * 1024,
  timeCost: 3,
  parallelism: 1,
} as const satisfies Options;

/** Hashes computed at once for nobody that is known: one processor is left to those who are, and to all else. */
const parallelForStrangers = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Tries of one subject that may wait for each other. */
const mostTurns = 50;

/** For whom a password is hashed or checked; people who are signed in do not wait for those who are not. */
export interface Asker {
  isKnown: boolean;
  /** A person, or a block of addresses. */
  name: string;
}

/** The server itself: its own commands and jobs. */
const theServer: Asker = { isKnown: true, name: 'server' };

/** For whom a call needs a hash. */
export function askerOf({ viewer, address }: Pick<Context, 'viewer' | 'address'>): Asker {
  return viewer.userid === 0
    ? { isKnown: false, name: addressBlock(address) }
    : { isKnown: true, name: `user ${viewer.userid}` };
}

/**
 * Hashes and checks passwords in threads of the library, never on the event loop. Those who are signed in (signing,
 * changing a password) and those who are not have a queue each; in both, callers take turns, and 503 is answered when too
 * many wait.
 */
export class Passwords {
  readonly #options: Options & { memoryCost: number; timeCost: number };
  readonly #known = new FairQueue({ parallel: 1, mostWaiting: 200, mostOfOne: 20, retryAfterSeconds: 5 });
  // A workshop may share one address: fifty people may sign in at the same moment.
  readonly #strangers = new FairQueue({
    parallel: parallelForStrangers,
    mostWaiting: 200,
    mostOfOne: 50,
    retryAfterSeconds: 5,
  });
  #decoy: Promise<string> | undefined;
  readonly #turns = new SerialByName<string>();

  /** `overrides` lower the cost in tests. */
  constructor(overrides: { memoryCost?: number; timeCost?: number } = {}) {
    this.#options = { ...options, ...overrides };
  }

  /** @throws Problem 503 when too many wait */
  hash(password: string, asker: Asker = theServer): Promise<string> {
    return this.#inQueue(asker, () => hash(password, this.#options));
  }

  /**
   * Checks against `stored`; without one (unknown account) it works as long and answers false.
   * @throws Problem 503 when too many wait
   */
  async verify(stored: string | null, password: string, asker: Asker = theServer): Promise<boolean> {
    // Once, and in no queue: all later comparisons need it.
    this.#decoy ??= hash('a password that nobody has', this.#options);
    const subject = stored ?? (await this.#decoy);
    const matches = await this.#inQueue(asker, () => verify(subject, password));
    return matches && stored !== null;
  }

  /** True when `stored` was made with a lower cost than today's. */
  needsRehash(stored: string): boolean {
    return !stored.includes(`m=${this.#options.memoryCost},t=${this.#options.timeCost},`);
  }

  /**
   * Runs the work of one subject one after another, so that many tries at once cannot all be checked before the
   * first of them has counted.
   * @throws Problem 503 when too many wait
   */
  async inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
    if (this.#turns.count(subject) > mostTurns) throw busy(5);
    return this.#turns.run(subject, work);
  }

  #inQueue<T>({ isKnown, name }: Asker, work: () => Promise<T>): Promise<T> {
    return (isKnown ? this.#known : this.#strangers).run(name, work);
  }
}
