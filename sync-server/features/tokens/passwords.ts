import { availableParallelism } from 'node:os';

import { hash, hashRaw, verify, type Options } from '@node-rs/argon2';

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

/** Concurrent hashes for callers who are not signed in: leaves one processor for everything else. */
const parallelForStrangers = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Most waiting attempts of a subject. */
const mostTurns = 50;

/** The caller for whom a password is hashed or checked. Callers who are signed in do not wait for those who are not. */
export interface Asker {
  isKnown: boolean;
  /** A person, or a block of addresses. */
  name: string;
}

/** The server itself: its own commands and jobs. */
const theServer: Asker = { isKnown: true, name: 'server' };

/** The caller of `ctx` as an `Asker`. */
export function askerOf({ viewer, address }: Pick<Context, 'viewer' | 'address'>): Asker {
  return viewer.userid === 0
    ? { isKnown: false, name: addressBlock(address) }
    : { isKnown: true, name: `user ${viewer.userid}` };
}

/**
 * Hashes and checks passwords in threads of the library, not on the event loop. Callers who are signed in (to sign or
 * to change a password) and callers who are not have separate fair queues, which answer 503 if too many are waiting.
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

  /** @throws Problem 503 if too many callers are waiting */
  hash(password: string, asker: Asker = theServer): Promise<string> {
    return this.#inQueue(asker, () => hash(password, this.#options));
  }

  /**
   * argon2id of a text with this salt and cost, as bytes.
   * @throws Problem 503 if too many callers are waiting
   */
  hashRaw(
    text: string,
    cost: { memoryCost: number; timeCost: number; salt: Buffer },
    asker: Asker,
  ): Promise<Buffer> {
    return this.#inQueue(asker, () =>
      hashRaw(text, { ...cost, algorithm: options.algorithm, parallelism: 1, outputLen: 32 }),
    );
  }

  /**
   * Checks a password against `stored`. For an unknown account (null) it takes as long and returns false.
   * @throws Problem 503 if too many callers are waiting
   */
  async verify(stored: string | null, password: string, asker: Asker = theServer): Promise<boolean> {
    // Computed once, outside of the queues, because all later comparisons need it.
    this.#decoy ??= hash('a password that nobody has', this.#options);
    const subject = stored ?? (await this.#decoy);
    const matches = await this.#inQueue(asker, () => verify(subject, password));
    return matches && stored !== null;
  }

  /** Whether `stored` was created with another cost than the current one. */
  needsRehash(stored: string): boolean {
    return !stored.includes(`m=${this.#options.memoryCost},t=${this.#options.timeCost},`);
  }

  /**
   * Runs the work of a subject sequentially, so that concurrent attempts cannot all be checked before the first of them
   * is counted.
   * @throws Problem 503 if too many are waiting
   */
  async inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
    if (this.#turns.count(subject) > mostTurns) throw busy(5);
    return this.#turns.run(subject, work);
  }

  #inQueue<T>({ isKnown, name }: Asker, work: () => Promise<T>): Promise<T> {
    return (isKnown ? this.#known : this.#strangers).run(name, work);
  }
}
