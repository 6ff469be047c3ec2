import type { z } from 'zod';

import type { User } from '#shared/model/user.ts';

import { mapCalls, readAnswer, requestOf, type CallOptions, type LooseArguments } from './client.ts';
import type { CallArguments, CallResult, Endpoint } from './endpoint.ts';
import { Problem } from './problem.ts';
import { surface, type Surface } from './surface.ts';

export { Problem } from './problem.ts';
export type { FieldError, ProblemKind } from './problem.ts';
export type { CallOptions } from './client.ts';
export type { Guide, GuideSummary, Step } from '#shared/model/guide-record.ts';
export type { StepForm } from '#shared/model/step-form.ts';
export type { User, UserSummary } from '#shared/model/user.ts';
export type { Wiki, WikiLight } from '#shared/model/wiki-record.ts';
export type { WorkLogEntry } from '#shared/model/work-log.ts';

export interface ConnectOptions {
  /** Origin of the server, without `/api/2.0`. */
  url: string;
  /** A token from an earlier `signIn`. */
  token?: string | undefined;
  /** Sent as `X-App-Id`; sites with public registration require one. */
  appId?: string;
  /** Called with every new token, and with undefined when there is none any more, so that a program can store it. */
  onToken?: (token: string | undefined) => void;
  /** Maximum number of retries of a call; default 4. */
  retries?: number;
  fetch?: typeof fetch;
  /** Waits for a time in milliseconds; replaced in tests. */
  wait?: (milliseconds: number) => Promise<void>;
}

/** The result of editing a versioned record: the saved record, or the record as it is now (409). */
export type Saved<T, C> = { conflict: false; value: T } | { conflict: true; current: C };

type Answer<E> = E extends { conflict: infer C extends z.ZodType }
  ? Saved<CallResult<E>, z.output<C>>
  : E extends { revisioned: infer R extends z.ZodType }
    ? Saved<CallResult<E>, z.output<R>>
    : CallResult<E>;

/** A call that may name a revision; only then can the answer be a conflict. */
interface CheckedCall<E, C> {
  (args: CallArguments<E> & { revisionid: number }, options?: CallOptions): Promise<Saved<CallResult<E>, C>>;
  (args: CallArguments<E> & { revisionid?: never }, options?: CallOptions): Promise<CallResult<E>>;
}

type Call<E> = E extends { checks: infer R extends z.ZodType } ? CheckedCall<E, z.output<R>> : PlainCall<E>;

type PlainCall<E> =
  Record<never, never> extends CallArguments<E>
    ? (args?: CallArguments<E>, options?: CallOptions) => Promise<Answer<E>>
    : (args: CallArguments<E>, options?: CallOptions) => Promise<Answer<E>>;

type Calls = { [R in keyof Surface]: { [K in keyof Surface[R]]: Call<Surface[R][K]> } };

/** Functions for every call of the API, and the current session. */
export interface Connection extends Calls {
  /** The token sent with calls; undefined when nobody is signed in. */
  readonly token: string | undefined;
  /** Signs in and uses the token for later calls. Throws `unauthorized` for wrong credentials. */
  signIn(credentials: { email: string; password: string; device?: string }): Promise<User>;
  /** Ends the session on the server and forgets the token. */
  signOut(): Promise<void>;
}

/**
 * A typed client of one server. Refusals are thrown as `Problem`; a 409 of a versioned record is a result (`Saved`).
 * Every write has an Idempotency-Key, so that a retry after a lost answer has no second effect.
 * - CLIENT-1 It has a function for every call that the server serves.
 * - CLIENT-2 It stores the token of a sign-in, reports each change of the token to `onToken`, and forgets a token that
 *   the server refuses.
 * - CLIENT-3 It retries 429 and 503 after `Retry-After`, and gives up after `retries` retries.
 * - CLIENT-4 It repeats a write whose answer was lost with the same Idempotency-Key, so that the write takes effect
 *   once.
 * - CLIENT-5 Without a token it does not repeat a write whose answer was lost, because the server stores no keys for
 *   anonymous callers.
 * - CLIENT-6 It returns a conflict as a result, with the current record.
 * - CLIENT-8 It stops when the `signal` of a call is aborted.
 * - CLIENT-9 Switches of a query are `true` or `false`. Where the mere presence of a switch turns it on, the compiler
 *   does not accept `false`.
 * - CLIENT-10 Instead of options it takes the origin of the server as a text. Anything else is refused at once, with
 *   words that say what to pass.
 */
export function connect(options: ConnectOptions | string): Connection {
  const session = new Session(typeof options === 'string' ? { url: options } : options);
  const calls = mapCalls(
    surface,
    (endpoint) => (args?: LooseArguments, call?: CallOptions) =>
      session.perform(endpoint, args ?? {}, call ?? {}),
  ) as Calls;
  return {
    ...calls,
    get token() {
      return session.token;
    },
    async signIn(credentials) {
      const user = await calls.tokens.create({ body: credentials });
      session.keep(user.authToken);
      return user;
    },
    async signOut() {
      await calls.tokens.remove();
      session.keep(undefined);
    },
  };
}

/**
 * The address of a server without a trailing slash. Throws a TypeError for anything else, which plain JavaScript may
 * pass.
 */
function originOf(url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)) {
    const origin = url.replace(/\/+$/, '');
    if (!origin.endsWith('/api/2.0')) return origin;
  }
  throw new TypeError(
    `connect needs the origin of the server, such as 'http://127.0.0.1:4020', without /api/2.0. It got ${JSON.stringify(url)}`,
  );
}

class Session {
  readonly #options: ConnectOptions;
  token: string | undefined;
  constructor(options: ConnectOptions) {
    this.#options = { ...options, url: originOf(options.url) };
    this.token = options.token;
  }

  keep(token: string | undefined): void {
    if (token === this.token) return;
    this.token = token;
    this.#options.onToken?.(token);
  }

  async perform(endpoint: Endpoint, args: LooseArguments, call: CallOptions): Promise<unknown> {
    const key = endpoint.method === 'GET' ? {} : { idempotencyKey: call.idempotencyKey ?? newKey() };
    const checked = args.revisionid === undefined ? undefined : endpoint.checks;
    const mayConflict = (endpoint.revisioned ?? endpoint.conflict ?? checked) !== undefined;
    try {
      const value = await readAnswer(await this.#send(endpoint, args, { ...call, ...key }));
      return mayConflict ? { conflict: false, value } : value;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === 'conflict' && mayConflict) return { conflict: true, current: error.details.current };
      // A server that refuses a token does not accept it later either.
      if (error.kind === 'unauthorized') this.keep(undefined);
      throw error;
    }
  }

  async #send(endpoint: Endpoint, args: LooseArguments, call: CallOptions): Promise<Response> {
    const { fetch: send = fetch, retries = 4, wait = later, url: baseUrl, appId } = this.#options;
    const { token } = this;
    const names = { ...(token === undefined ? {} : { token }), ...(appId === undefined ? {} : { appId }) };
    const { url, init } = requestOf(endpoint, args, { baseUrl, ...names }, call);
    // CLIENT-5: without a token the server stores no keys, so a write whose answer was lost must not be repeated.
    const isRepeatable = endpoint.method === 'GET' || token !== undefined;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send(url, init).catch((error: unknown) => {
        if (call.signal?.aborted === true || !isRepeatable || attempt >= retries) throw error;
        return undefined;
      });
      const isBusy = answer?.status === 429 || answer?.status === 503;
      if (answer !== undefined && (!isBusy || attempt >= retries)) return answer;
      await wait(pause(answer, attempt));
      call.signal?.throwIfAborted();
    }
  }
}

/** The delay before the next attempt in milliseconds: from `Retry-After`, else half a second, doubled each time. */
function pause(answer: Response | undefined, attempt: number): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : 500 * 2 ** attempt;
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

/** Makes a random key. `crypto.randomUUID` is missing on pages that were loaded over plain HTTP. */
function newKey(): string {
  // oxlint-disable-next-line no-restricted-properties -- a program that wants another key names it with the call
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

interface Paged {
  offset?: unknown;
  limit?: unknown;
}

type ItemOf<R> = R extends (infer T)[] ? T : R extends { results: (infer T)[] } ? T : never;

/**
 * Iterates over all records of a list, page after page: `for await (const guide of each(api.guides.list, { query }))`.
 * Only an empty page ends a list, because servers filter a page after cutting it.
 * - CLIENT-7 It reads lists page by page, also lists wrapped in an object with `results`.
 */
export async function* each<A extends { query?: Paged }, R>(
  list: (args: A) => Promise<R>,
  args: A = {} as A,
): AsyncGenerator<ItemOf<R>, void, undefined> {
  const limit = Number(args.query?.limit ?? 200);
  for (let offset = Number(args.query?.offset ?? 0); ; offset += limit) {
    const page: unknown = await list({ ...args, query: { ...args.query, limit, offset } });
    const { results, moreResults } = wrapped(page);
    yield* results as ItemOf<R>[];
    if (results.length === 0 || !moreResults) return;
  }
}

/** The records of a page, which is a plain list or an object that says whether there are more. */
function wrapped(page: unknown): { results: unknown[]; moreResults: boolean } {
  if (Array.isArray(page)) return { results: page, moreResults: true };
  const { results, moreResults } = page as { results?: unknown[]; moreResults?: boolean };
  if (results === undefined) throw new TypeError('This call does not answer with a list');
  return { results, moreResults: moreResults === true };
}
