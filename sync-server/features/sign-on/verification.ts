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

/** What a worker is asked. */
export interface VerificationWork {
  site: Pick<Site, 'address' | 'sign_on'>;
  request: AuthnRequest;
  SAMLResponse: string;
}

/** Processor time and memory; an answer within the bounds takes a tenth of this on a slow machine. */
const budget = { ms: 5000, megabytes: 128 };

/** Budget and bounds; tests change them. */
export interface VerificationOptions {
  budget?: Readonly<typeof budget>;
  bounds?: Readonly<ResponseBounds>;
}

/**
 * Checks answers of identity providers: their size here, and their content in workers, since anyone can submit an
 * answer with any content.
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
   * What a verified answer asserts. `caller`: the address that submitted it, by which callers take turns. Throws an
   * error that says what is wrong with it; Problem 503 when too much is already waiting.
   */
  async read(caller: string, work: VerificationWork): Promise<Asserted> {
    checkResponse(work.SAMLResponse, this.#bounds);
    return this.#pool.do(caller, work);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }
}
