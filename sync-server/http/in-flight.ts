import { Problem } from '#shared/api/problem.ts';
import { busy } from '#server/work/fair-queue.ts';

import type { Limits } from './limits.ts';

/** Who is asking: a device of a person, or somebody at an address. */
export interface Caller {
  /** Names who requests are counted for. */
  name: string;
  /** Names who bodies in memory are counted for: of a person, all devices. */
  holder: string;
  isKnown: boolean;
}

interface Held {
  requests: number;
  bytes: number;
}

const retryAfterSeconds = 5;

type InFlightLimits = Pick<
  Limits,
  'requestsOfCaller' | 'bodyBytesOfCaller' | 'bodyBytesOfStrangers' | 'bodyBytesOfKnown'
>;

/**
 * Bounds what is being answered at the same time: requests of each caller, and bytes of bodies that are read into memory.
 * What strangers send never takes the place of those who are signed in.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #callers = new Map<string, Held>();
  readonly #bytes = { known: 0, strangers: 0 };

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a request whose body takes `bytes`, until what it returns is called.
   * @throws Problem 429 when the caller has too much of it, 503 when all together have
   */
  enter({ name, holder, isKnown }: Caller, bytes: number): () => void {
    const { requestsOfCaller, bodyBytesOfCaller, bodyBytesOfStrangers, bodyBytesOfKnown } = this.#limits;
    const requests = this.#callers.get(name)?.requests ?? 0;
    const held = this.#callers.get(holder)?.bytes ?? 0;
    if (requests >= requestsOfCaller || (bytes > 0 && held + bytes > bodyBytesOfCaller))
      throw new Problem('too-many-requests', 'Too many requests at the same time. Wait and try again', {
        retryAfterSeconds,
      });
    const group = isKnown ? 'known' : 'strangers';
    if (this.#bytes[group] + bytes > (isKnown ? bodyBytesOfKnown : bodyBytesOfStrangers))
      throw busy(retryAfterSeconds);
    this.#add(group, name, holder, 1, bytes);
    return () => this.#add(group, name, holder, -1, -bytes);
  }

  #add(group: 'known' | 'strangers', name: string, holder: string, requests: number, bytes: number): void {
    this.#bytes[group] += bytes;
    this.#change(name, { requests, bytes: 0 });
    this.#change(holder, { requests: 0, bytes });
  }

  #change(name: string, { requests, bytes }: Held): void {
    const before = this.#callers.get(name) ?? { requests: 0, bytes: 0 };
    const after = { requests: before.requests + requests, bytes: before.bytes + bytes };
    if (after.requests === 0 && after.bytes === 0) this.#callers.delete(name);
    else this.#callers.set(name, after);
  }
}
