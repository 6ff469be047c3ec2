import { Problem } from '#shared/api/problem.ts';

const windowMs = 60_000;
/** More than a thousand devices behind one address may ask when the network comes back. */
const mostOfAnAddress = 3000;

/** Counts who asks for the server's identity: each answer costs a signature, and nobody has to sign in for it (IDENTITY-5). */
export class Questions {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws 429 for an address that asked too often within the minute. */
  count(address: string): void {
    const now = this.#now();
    if (now >= this.#since + windowMs) {
      this.#since = now;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    if (count <= mostOfAnAddress) return;
    const retryAfterSeconds = Math.ceil((this.#since + windowMs - now) / 1000);
    throw new Problem(
      'too-many-requests',
      `Too many requests. Wait ${retryAfterSeconds} seconds and try again`,
      { retryAfterSeconds },
    );
  }
}
