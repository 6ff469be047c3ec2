import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import type { z } from 'zod';

import { bodyLimits } from '#server/http/mount.ts';
import type { Blobs } from '#server/media/blobs.ts';
import type { IncomingFile } from '#server/media/incoming.ts';
import {
  HostNotFound,
  RefusedAddress,
  TooLong,
  type Outbound,
  type OutboundAnswer,
  type OutboundCall,
} from '#server/platform/outbound.ts';
import { Room } from '#server/platform/room.ts';

import { parseForeignJson } from './foreign-json.ts';

/** How politely a site is read. */
export interface Pace {
  /** Calls at the same time. */
  together: number;
  /** Attempts of a call. */
  attempts: number;
  /** Time limit of a call, ms. */
  timeoutMs: number;
  /** Time limit of a file, ms. */
  fileTimeoutMs: number;
  /** The first pause before another attempt, ms; each is twice as long as the one before. */
  pauseMs: number;
  /** The longest pause, ms, also if `Retry-After` asks for a longer one. */
  longestPauseMs: number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export const usualPace: Pace = {
  together: 4,
  attempts: 7,
  timeoutMs: 60_000,
  fileTimeoutMs: 15 * 60_000,
  pauseMs: 1000,
  longestPauseMs: 10 * 60_000,
  wait: (ms, signal) => delay(ms, undefined, { signal }),
};

/** A record or file could not be had. `status`: the answer; null if there was none that says why. */
export class NotHad extends Error {
  override name = 'NotHad';
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** The site gives no useful answer any more. Running the command again goes on from here. */
export class SourceSilent extends Error {
  override name = 'SourceSilent';
}

/** Records that may fail in a row for want of an answer before a run ends. */
const mostSilences = 5;
const mostRedirects = 3;
/** Every address: the operator named the site, so it may be in a private network. */
const anywhere = ['0.0.0.0/0', '::/0'];
const busy = new Set([408, 425, 429]);

export interface SourceOptions {
  outbound: Outbound;
  blobs: Blobs;
  url: URL;
  token: string | null;
  pace: Pace;
  now: () => number;
  /** Randomness between 0 and 1. */
  random: () => number;
  signal: AbortSignal;
  /** Called with a sentence when the site does not answer and is called again later. */
  waits: (words: string) => void;
}

/**
 * Reads another site through its API.
 *
 * - MIRRORSITE-1 A few calls run at the same time. An answer 429 or 503 stops all calls for the time of its `Retry-After`.
 *   Calls that are answered with 408, 425, 429 or 5xx, or not at all, or in part, are repeated after random pauses, which
 *   double; so are calls to a host that answered before and is not found any more.
 * - MIRRORSITE-14 While it waits, a run says what happened, and when it tries again.
 * - MIRRORSITE-2 The token is sent to the origin of the site only. Redirects of calls to other origins are not followed.
 *   Files at other addresses are fetched without it, and only from public addresses, or from private networks that the
 *   site allows.
 */
export class Source {
  /** The origin of the site, with the path at which it is, without a trailing slash. */
  readonly base: string;
  readonly #options: SourceOptions;
  readonly #room: Room;
  /** No call starts before this time, ms. */
  #notBefore = 0;
  #silences = 0;
  /** The end of the pauses that were told, ms. */
  #toldUntil = 0;
  /** Answers that were received, and further attempts that were needed. */
  readonly calls = { answered: 0, repeated: 0 };

  constructor(options: SourceOptions) {
    const { origin, pathname } = options.url;
    this.base = origin + pathname.replace(/\/+$/, '');
    this.#options = options;
    this.#room = new Room(options.pace.together);
  }

  /** The answer to `GET /api/2.0{path}`. Throws NotHad. */
  async read<T extends z.ZodType>(path: string, schema: T, query: Query = {}): Promise<z.output<T>> {
    const url = `${this.base}/api/2.0${path}${queryText(query)}`;
    const { timeoutMs } = this.#options.pace;
    return this.#insist(async () => {
      const answer = await this.#call(url, { timeoutMs, mostBytes: bodyLimits.file });
      return parsed(jsonOf(answer), schema, path);
    });
  }

  /** The bytes of a picture. Throws NotHad. */
  async bytes(url: string): Promise<Buffer> {
    const { fileTimeoutMs: timeoutMs } = this.#options.pace;
    return this.#insist(async () => {
      const { body } = await this.#call(this.absolute(url), { timeoutMs, mostBytes: bodyLimits.file });
      return body;
    });
  }

  /** Receives a file of any size. Throws NotHad. */
  async file(url: string, mostBytes: number): Promise<IncomingFile> {
    return this.#insist(() => this.#receive(this.absolute(url), mostBytes));
  }

  /** An address of an answer; relative ones belong to the site. */
  absolute(url: string): string {
    return URL.parse(url, `${this.base}/`)?.href ?? url;
  }

  /** An address of the site without its origin; others as they are. */
  relative(url: string): string {
    return url.startsWith(`${this.base}/`) ? url.slice(this.base.length) : url;
  }

  async #receive(url: string, mostBytes: number): Promise<IncomingFile> {
    const { fileTimeoutMs: timeoutMs } = this.#options.pace;
    const pipe = new PassThrough();
    const received = this.#options.blobs.receive(pipe);
    // The error of the call is the one that counts.
    received.catch(() => undefined);
    const sink = async (piece: Buffer): Promise<void> => {
      if (!pipe.write(piece)) await new Promise((resolve) => void pipe.once('drain', resolve));
    };
    try {
      await this.#call(url, { timeoutMs, mostBytes, sink });
      pipe.end();
      return await received;
    } catch (error) {
      pipe.destroy(error instanceof Error ? error : new Error('The file was not received'));
      await received.catch(() => undefined);
      throw error;
    }
  }

  /** Repeats `attempt` until it has an answer that counts. */
  async #insist<T>(attempt: () => Promise<T>): Promise<T> {
    const { pace, signal } = this.#options;
    for (let count = 1; ; count += 1) {
      const result = await this.#inTurn(attempt);
      if ('value' in result) {
        this.#silences = 0;
        this.calls.answered += 1;
        return result.value;
      }
      signal.throwIfAborted();
      const again = againOf(result.error);
      if (again === null) {
        this.#silences = 0;
        throw isRefused(result.error) ? new NotHad(result.error.message, null) : result.error;
      }
      if (count >= pace.attempts) throw this.#givenUp(again.error, count);
      this.calls.repeated += 1;
      await this.#rest(again, count);
    }
  }

  /** The result of an attempt, when fewer calls run and no pause is asked for. */
  async #inTurn<T>(attempt: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
    using _place = await this.#room.take('mirror', 1);
    await this.#pause();
    this.#options.signal.throwIfAborted();
    try {
      return { value: await attempt() };
    } catch (error) {
      return { error };
    }
  }

  #givenUp(error: NotHad, attempts: number): Error {
    this.#silences += 1;
    const message = `${error.message}, ${attempts} times`;
    return this.#silences >= mostSilences ? new SourceSilent(message) : new NotHad(message, error.status);
  }

  /** Waits before the next attempt: as long as the answer says, for all calls, or a random time. */
  async #rest({ error, afterMs }: Again, count: number): Promise<void> {
    const { pace, random, signal, now } = this.#options;
    if (afterMs !== null) {
      const ms = Math.min(afterMs, pace.longestPauseMs);
      this.#tell(error, ms, count);
      this.#notBefore = Math.max(this.#notBefore, now() + ms);
      return;
    }
    const longest = Math.min(pace.pauseMs * 2 ** (count - 1), pace.longestPauseMs);
    const ms = longest * (0.5 + random() / 2);
    this.#tell(error, ms, count);
    await pace.wait(ms, signal);
  }

  /** Says why and how long a call waits, unless another one said that it waits for longer. */
  #tell({ message }: NotHad, ms: number, count: number): void {
    const { pace, now, waits } = this.#options;
    const until = now() + ms;
    if (until <= this.#toldUntil) return;
    this.#toldUntil = until;
    waits(
      `${message}. Trying again in ${Math.ceil(ms / 1000)} s (attempt ${count + 1} of ${pace.attempts}).`,
    );
  }

  async #pause(): Promise<void> {
    const { pace, now, signal } = this.#options;
    for (let left = this.#notBefore - now(); left > 0; left = this.#notBefore - now())
      await pace.wait(left, signal);
  }

  /** One call, with the redirects that may be followed. Throws NotYet or NotHad for answers other than 2xx. */
  async #call(
    address: string,
    call: Pick<OutboundCall, 'timeoutMs' | 'mostBytes' | 'sink'>,
  ): Promise<OutboundAnswer> {
    const { outbound, signal } = this.#options;
    let target = address;
    for (let left = mostRedirects; ; left -= 1) {
      const isOwn = this.#isOwn(target);
      const answer = await outbound
        .call(target, {
          ...call,
          signal,
          headers: this.#headers(isOwn),
          ...(isOwn ? { networks: anywhere } : {}),
        })
        .catch((error: unknown) => {
          // A name that was found before is a fault of the network.
          const isLost = isOwn && error instanceof HostNotFound && this.calls.answered > 0;
          throw isLost ? new NotYet(error.message, null, null) : error;
        });
      const next = redirectOf(answer, target);
      if (next === null) return settled(answer, this.#options.now());
      if (left <= 0) throw new NotHad('The address redirects too often', answer.status);
      const isCall = target.startsWith(`${this.base}/api/`);
      if (isCall && !this.#isOwn(next))
        throw new NotHad(`The site redirects to ${new URL(next).origin}; name that address`, answer.status);
      target = next;
    }
  }

  #isOwn(address: string): boolean {
    return URL.parse(address)?.origin === this.#options.url.origin;
  }

  #headers(isOwn: boolean): Record<string, string> {
    const { token } = this.#options;
    return {
      'User-Agent': 'Benchbook mirror',
      ...(isOwn && token !== null ? { Authorization: `api ${token}` } : {}),
    };
  }
}

/** Query of a call; undefined values are left out. */
export type Query = Record<string, string | number | boolean | undefined>;

function queryText(query: Query): string {
  const named = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(named.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The attempt may succeed later. */
class NotYet extends NotHad {
  readonly afterMs: number | null;

  constructor(message: string, status: number | null, afterMs: number | null) {
    super(message, status);
    this.afterMs = afterMs;
  }
}

function jsonOf({ body, status }: OutboundAnswer): unknown {
  try {
    return parseForeignJson(body.toString('utf8'));
  } catch {
    throw new NotYet('The answer is not JSON', status, null);
  }
}

function parsed<T extends z.ZodType>(value: unknown, schema: T, path: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new NotHad(
    `The answer to ${path.split('?')[0]} is not as the API says: ${place}: ${issue?.message}`,
    null,
  );
}

function redirectOf({ status, headers }: OutboundAnswer, from: string): string | null {
  const { location } = headers;
  if (status < 300 || status >= 400 || typeof location !== 'string') return null;
  return URL.parse(location, from)?.href ?? null;
}

/** A successful answer. Throws NotYet or NotHad for others. */
function settled(answer: OutboundAnswer, now: number): OutboundAnswer {
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  const words = `The site answered ${status}${messageOf(answer)}`;
  if (!busy.has(status) && status < 500) throw new NotHad(words, status);
  const after = status === 429 || status === 503 ? retryAfter(answer, now) : null;
  throw new NotYet(words, status, after);
}

/** The message of a refusal, cut to a reasonable length. */
function messageOf({ body }: OutboundAnswer): string {
  try {
    const { message } = JSON.parse(body.toString('utf8')) as { message?: unknown };
    return typeof message === 'string' ? ` (${message.slice(0, 200)})` : '';
  } catch {
    return '';
  }
}

/** `Retry-After` in ms: seconds or a date; null if it is missing or makes no sense. */
function retryAfter({ headers }: OutboundAnswer, now: number): number | null {
  const text = headers['retry-after'];
  if (typeof text !== 'string') return null;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/** An address that may not be called or is not found, or an answer that is too large. */
function isRefused(error: unknown): error is RefusedAddress | TooLong {
  return error instanceof RefusedAddress || error instanceof TooLong;
}

/** Why an attempt failed, and after what time another one makes sense, ms; null: the answer does not say. */
interface Again {
  error: NotHad;
  afterMs: number | null;
}

/** Whether another attempt makes sense; null if not. */
function againOf(error: unknown): Again | null {
  if (error instanceof NotYet) return { error, afterMs: error.afterMs };
  if (isRefused(error) || error instanceof NotHad) return null;
  if (!(error instanceof Error)) return null;
  // While a body arrives, Node.js ends the call with another error, which has the reason.
  if ([error, error.cause].some((one) => one instanceof Error && one.name === 'TimeoutError'))
    return { error: new NotHad('The site did not answer in time', null), afterMs: null };
  const code = 'code' in error ? String(error.code) : '';
  if (!/^(?:E[A-Z_]+|HPE_\w+|ERR_STREAM\w*|ERR_TLS\w*|ERR_SSL\w*)$/.test(code) || code === 'ENOSPC')
    return null;
  return { error: new NotHad(`The connection failed (${code})`, null), afterMs: null };
}
