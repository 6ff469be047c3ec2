import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';

import type { ServerClock } from './clock.ts';
import type { Environment } from './ports.ts';

/** The server could not be reached, or the answer broke off. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** Requests to one server under one sign-in, and what they tell about being online. */
export class Link {
  readonly server: string;
  readonly #environment: Environment;
  readonly #clock: ServerClock;
  readonly #token: () => string | null;
  readonly #appId: string | null;
  readonly #reached = new BehaviorSubject(true);
  /** True while the platform says so and the last request was answered. */
  readonly online: Observable<boolean>;

  constructor(
    server: string,
    token: () => string | null,
    appId: string | null,
    environment: Environment,
    clock: ServerClock,
  ) {
    this.server = server;
    this.#token = token;
    this.#appId = appId;
    this.#environment = environment;
    this.#clock = clock;
    this.online = combineLatest([environment.online, this.#reached]).pipe(
      map(([platform, reached]) => platform && reached),
      distinctUntilChanged(),
    );
  }

  /**
   * Sends a request with the token. Resolves to any answer, refusals included.
   * @throws Unreachable when there is none within `timeout` ms
   */
  async request(path: string, init: RequestInit = {}, timeout = 30_000): Promise<Answering> {
    const abort = new AbortController();
    const token = this.#token();
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('Authorization', `api ${token}`);
    if (this.#appId !== null) headers.set('X-App-Id', this.#appId);
    const cancel = this.#environment.setTimer(() => abort.abort(), timeout);
    const sentAt = this.#environment.monotonic();
    if (init.signal?.aborted === true) abort.abort();
    init.signal?.addEventListener('abort', () => abort.abort(), { once: true });
    try {
      const response = await this.#environment.fetch(this.server + path, {
        ...init,
        headers,
        signal: abort.signal,
      });
      this.#reached.next(true);
      if (isFresh(init, response))
        this.#clock.learnFromHeader(response.headers.get('date'), sentAt, this.#environment.monotonic());
      return { response, abort: () => abort.abort(), sentAt };
    } catch (error) {
      if (init.signal?.aborted !== true) this.#reached.next(false);
      throw new Unreachable('The server could not be reached', { cause: error });
    } finally {
      cancel();
    }
  }

  /** Lines of an answer as they arrive; a silence of `idle` ms or a broken stream is `Unreachable`. */
  async *lines({ response, abort }: Answering, idle = 45_000): AsyncGenerator<string> {
    if (response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    let silent = false;
    try {
      for (;;) {
        const cancel = this.#environment.setTimer(() => {
          silent = true;
          abort();
        }, idle);
        const { done, value } = await reader.read().finally(cancel);
        this.#reached.next(true);
        if (done) break;
        const parts = (rest + value).split('\n');
        rest = parts.pop() ?? '';
        for (const part of parts) yield part;
      }
      if (rest !== '') yield rest;
    } catch (error) {
      this.#reached.next(false);
      throw new Unreachable(silent ? 'The server fell silent' : 'The answer broke off', { cause: error });
    } finally {
      abort();
    }
  }

  /** Learns the server's clock from a `now` in an answer that just began. */
  learnNow(serverNow: number, { sentAt }: Answering): void {
    this.#clock.learn({ serverNow, sentAt, receivedAt: this.#environment.monotonic() });
  }
}

/** Whether an answer was made for this request: one from the browser's cache bears the date of another day. */
function isFresh({ method = 'GET' }: RequestInit, { headers }: Response): boolean {
  return method !== 'GET' || /no-(store|cache)/.test(headers.get('cache-control') ?? '');
}

/** A request that was answered; its body may still be on the way. */
export interface Answering {
  response: Response;
  abort: () => void;
  sentAt: number;
}
