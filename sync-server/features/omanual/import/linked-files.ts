import type { Services } from '#server/core/services.ts';
import type { RefusalLog } from '#server/platform/outbound.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { archiveLimits } from '#shared/api/omanual.ts';

import { whyNotFetched } from './fetch.ts';

/** A linked file could not be fetched; the message says why, in words for people. */
export class NotFetched extends Error {
  override name = 'NotFetched';
}

/** Timeout for a file, ms. */
const timeoutMs = 60_000;
const redirects = 3;
/** Consecutive timeouts of a host after which the import does not call it again. */
const mostSilences = 3;
/** Most reasons that are logged per import, each once. */
const mostReasons = 20;

/**
 * Fetches the files that an archive only links to. Addresses are checked like all addresses that people enter
 * (`platform/outbound.ts`): private networks are refused after the DNS lookup and after each redirect. The total size
 * per import is limited to that of an archive.
 */
export class LinkedFiles {
  readonly #services: Services;
  readonly #signal: AbortSignal;
  /** Timeouts of each host since its last answer. */
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
