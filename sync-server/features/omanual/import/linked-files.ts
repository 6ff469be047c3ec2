import type { Services } from '#server/core/services.ts';
import type { RefusalLog } from '#server/platform/outbound.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { archiveLimits } from '#shared/api/omanual.ts';

import { whyNotFetched } from './fetch.ts';

/** A linked file that could not be had; the message says why, for people. */
export class NotFetched extends Error {
  override name = 'NotFetched';
}

/** Longest time for one file, ms. */
const timeoutMs = 60_000;
const redirects = 3;
/** A host that did not answer so often, one time after the other, is not asked again in the same import. */
const mostSilences = 3;
/** Maximum number of reasons logged per import, each once. */
const mostReasons = 20;

/**
 * Gets the files that an archive only links to. Addresses are called as all that people give (`http/outbound.ts`):
 * private networks are refused after the look-up and after each redirect. One import fetches at most as many bytes as an
 * archive may have.
 */
export class LinkedFiles {
  readonly #services: Services;
  readonly #signal: AbortSignal;
  /** How often each host kept silent since it answered last. */
  readonly #silent = new Map<string, number>();
  readonly #reasons = new Set<string>();
  readonly #refusals: RefusalLog = {
    warn: (facts, text) => {
      if (this.#reasons.has(facts.reason) || this.#reasons.size >= mostReasons) return;
      this.#reasons.add(facts.reason);
      this.#services.log.warn(facts, text);
    },
  };
  #left: number = archiveLimits.bytes;

  constructor(services: Services, signal: AbortSignal) {
    this.#services = services;
    this.#signal = signal;
  }

  /** The content of a linked picture or document. Throws NotFetched. */
  async *pieces(url: string): AsyncGenerator<Buffer> {
    yield await this.#fetch(url);
  }

  async #fetch(url: string): Promise<Buffer> {
    const host = URL.parse(url)?.host ?? '';
    if ((this.#silent.get(host) ?? 0) >= mostSilences)
      throw new NotFetched(`${host} did not answer ${mostSilences} times`);
    const mostBytes = Math.min(bodyLimits.file, this.#left);
    if (mostBytes === 0) throw new NotFetched('This import fetched as many bytes as one may');
    const answer = await this.#services.outbound
      .call(url, { timeoutMs, mostBytes, redirects, signal: this.#signal })
      .catch((error: unknown) => {
        this.#signal.throwIfAborted();
        const why = whyNotFetched(error, this.#refusals);
        if (why === undefined) throw error;
        if (why.isSilence) this.#silent.set(host, (this.#silent.get(host) ?? 0) + 1);
        throw new NotFetched(why.message, { cause: error });
      });
    this.#silent.delete(host);
    if (answer.status !== 200) throw new NotFetched(`The address answered ${answer.status}`);
    this.#left -= answer.body.length;
    return answer.body;
  }
}
