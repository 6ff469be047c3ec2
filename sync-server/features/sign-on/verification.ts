import type { Site } from '#server/core/site-settings.ts';
import { WorkerPool } from '#server/platform/worker-pool.ts';

import { checkResponse, responseBounds, type ResponseBounds } from './response-bounds.ts';
import type { Asserted, AuthnRequest } from './saml.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Checks answers of identity providers, in workers. */
    verification: Verification;
  }
}

/** A task for a worker. */
export interface VerificationWork {
  site: Pick<Site, 'address' | 'sign_on'>;
  request: AuthnRequest;
  SAMLResponse: string;
}

/** Processor time and memory of a task; an answer within the bounds takes a tenth of this on a slow machine. */
const budget = { ms: 5000, megabytes: 128 };

/** Budget and bounds, which tests change. */
export interface VerificationOptions {
  budget?: Readonly<typeof budget>;
  bounds?: Readonly<ResponseBounds>;
}

/**
 * Checks answers of identity providers: their size here, and their content in workers, because anyone can submit an
 * answer.
 *
 * - SIGN-ON-16 Signatures are checked in workers with a budget of 5 seconds of processor time and 128 MB (BUDGET-3):
 *   whatever an answer contains, other requests are served meanwhile. Fifty answers of one address can wait, and two
 *   hundred in total; beyond that, the reply is 503, and the person can submit the answer again.
 */
export class Verification implements AsyncDisposable {
  readonly #bounds: ResponseBounds;
  readonly #pool: WorkerPool<VerificationWork, Asserted>;

  constructor(options: VerificationOptions = {}) {
    this.#bounds = options.bounds ?? responseBounds;
    this.#pool = new WorkerPool({
      program: new URL('verification-worker.ts', import.meta.url),
      workers: 2,
      budget: options.budget ?? budget,
      mostWaiting: 200,
      // A workshop may share an address.
      mostOfOne: 50,
    });
  }

  /**
   * The content of a verified answer. `caller`: the address that submitted it, for fair queueing. Throws an error that
   * says what is wrong with it, or Problem 503 if too many answers are waiting.
   */
  async read(caller: string, work: VerificationWork): Promise<Asserted> {
    checkResponse(work.SAMLResponse, this.#bounds);
    return this.#pool.do(caller, work);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }
}
