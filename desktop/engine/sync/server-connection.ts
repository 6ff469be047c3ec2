import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';
import type { z } from 'zod';

import { announced, protocolRange, type ProtocolRange } from '#shared/sync/protocol.ts';

import type { ServerClock } from '../platform/clock.ts';
import { retryAfter } from './backoff.ts';
import type { SeenPlace } from './mirror/seen-place.ts';
import type { Environment } from '../platform/ports.ts';
import { foreignAnswer, ForeignAnswer, Unreachable, withOwnRefusal } from './own-answer.ts';
import type { Interference } from '../api/sync-records.ts';
import { longestSilence, longestWait, withoutSilence } from './patient-fetch.ts';
import { jsonIn, refusalIn, type Refusal } from './recognise.ts';

export { ForeignAnswer, Unreachable, type Interference };

/** Which side must be updated before device and server understand each other. */
export type TooOldSide = 'app' | 'server';

const tooOldWords: Record<TooOldSide, string> = {
  app: 'Update the app to go on syncing. Your work is kept.',
  server: 'The server is older than this app. Ask your administrator to update it. Your work is kept.',
};

/** Device and server have no protocol in common: work waits until one of them is updated. */
export class TooOld extends Unreachable {
  override name = 'TooOld';

  constructor(side: TooOldSide) {
    super(tooOldWords[side]);
  }
}

/** What answers is another server than the one that is expected; what it says counts for nothing. */
export class OtherServerAnswered extends Unreachable {
  override name = 'OtherServerAnswered';

  constructor() {
    super('Another server answered');
  }
}

/** Bytes per ms that a body takes at least: three quarters of the slowest connection that is supported (16 KB/s). */
const slowest = 12;
/** Refusals are short: of anything longer only the beginning is read, characters. */
const longestRefusal = 1024 * 1024;

const nothingSeen = { place: null, note: () => undefined, forget: () => Promise.resolve() };

/** Requests to one server under one sign-in, and what they tell about being online. */
export class ServerConnection {
  readonly server: string;
  readonly #environment: Environment;
  readonly #clock: ServerClock;
  readonly #token: () => string | null;
  readonly #appId: string | null;
  readonly #protocols: ProtocolRange;
  readonly #tooOld = new BehaviorSubject<TooOldSide | null>(null);
  readonly #seen: Pick<SeenPlace, 'place' | 'note' | 'forget'>;
  readonly #reached = new BehaviorSubject(true);
  readonly #interferences = new Map<string, Interference>();
  readonly #interference = new BehaviorSubject<Interference | null>(null);
  readonly #waitUntil = new BehaviorSubject<number | null>(null);
  #expected: string | null = null;
  #cancelWait: () => void = () => undefined;
  /** Until the server has spoken: what every server understands that this device speaks with. */
  #protocol: number;
  /** True while the platform says so and the last request was answered by the server. */
  readonly online: Observable<boolean>;

  constructor(
    server: string,
    token: () => string | null,
    appId: string | null,
    environment: Environment,
    clock: ServerClock,
    protocols: ProtocolRange = protocolRange,
    seen: Pick<SeenPlace, 'place' | 'note' | 'forget'> = nothingSeen,
  ) {
    this.server = server;
    this.#token = token;
    this.#appId = appId;
    this.#environment = environment;
    this.#clock = clock;
    this.#protocols = protocols;
    this.#seen = seen;
    this.#protocol = protocols.oldest;
    this.online = combineLatest([environment.online, this.#reached]).pipe(
      map(([platform, reached]) => platform && reached),
      distinctUntilChanged(),
    );
  }

  /** What last answered in the place of the server, until the server itself answers what was asked for there. */
  get interference(): Observable<Interference | null> {
    return this.#interference;
  }

  /** Until when the server asked this device to wait, ms since 1970; null: it did not, or that time is over. */
  get waitUntil(): Observable<number | null> {
    return this.#waitUntil;
  }

  /** The token that the next request will bear. */
  get token(): string | null {
    return this.#token();
  }

  /**
   * Sends a request with the token, unless its `credentials` are `omit`. Resolves to any answer, whoever made it: what it
   * says counts only once it was recognised (`parsed`, `refusal`).
   * @throws Unreachable when there is none within `timeout` ms
   */
  async request(
    path: string,
    init: RequestInit = {},
    timeout = longestWait + bytesOf(init.body) / slowest,
  ): Promise<Answering> {
    const abort = new AbortController();
    const token = this.#token();
    const headers = new Headers(init.headers);
    if (token !== null && init.credentials !== 'omit') headers.set('Authorization', `api ${token}`);
    if (this.#appId !== null) headers.set('X-App-Id', this.#appId);
    const cancel = this.#environment.setTimer(() => abort.abort(), timeout);
    const sentAt = this.#environment.monotonic();
    const name = this.#environment.uuid();
    try {
      const response = await this.#environment.fetch(this.server + this.#announcing(path, init, name), {
        ...init,
        headers,
        signal: AbortSignal.any([abort.signal, ...(init.signal ? [init.signal] : [])]),
        // The server never redirects a call. Where a redirect leads, another call would be answered, a GET most often.
        redirect: 'manual',
      });
      const receivedAt = this.#environment.monotonic();
      return {
        response,
        abort: () => abort.abort(),
        isUnwanted: () => init.signal?.aborted === true,
        path: path.replace(/\?.*$/s, ''),
        name,
        sentAt,
        receivedAt,
        isFresh: isFresh(init, response),
        isOurs: false,
        lastLine: '',
      };
    } catch (error) {
      if (init.signal?.aborted !== true) this.#reached.next(false);
      throw new Unreachable('The server could not be reached', { cause: error });
    } finally {
      cancel();
    }
  }

  /**
   * `request` for whoever reads the answer itself. A refusal in it was recognised as the server's; what a success holds
   * is for the caller to recognise. Reading its body throws `Unreachable` when it stalls or breaks off.
   * @throws ForeignAnswer for any other refusal, Unreachable when there is no answer
   */
  async response(path: string, init: RequestInit = {}): Promise<Response> {
    const answering = await this.request(path, init);
    const body = withoutSilence(answering.response, this.#environment, () => {
      if (init.signal?.aborted !== true) this.#reached.next(false);
    });
    const response = await withOwnRefusal(body, path);
    if (!response.ok) this.recognised(answering);
    return response;
  }

  /**
   * Lines of an answer as they arrive; a silence of `idle` ms or a broken stream is `Unreachable`. A line that grows longer
   * than `longest` characters is the last one, as far as it came.
   */
  async *lines(
    answering: Answering,
    idle = longestSilence,
    longest = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<string> {
    const { response, abort } = answering;
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
        if (answering.isOurs) this.#reached.next(true);
        if (done) break;
        const parts = (rest + value).split('\n');
        rest = parts.pop() ?? '';
        for (const part of parts) yield part;
        if (rest.length > longest) break;
      }
      if (rest !== '') yield rest;
    } catch (error) {
      if (error instanceof ForeignAnswer) throw error;
      if (!answering.isUnwanted()) this.#reached.next(false);
      throw new Unreachable(silent ? 'The server fell silent' : 'The answer broke off', { cause: error });
    } finally {
      abort();
    }
  }

  /** The whole text of an answer, cut off where it grows longer than `longest` characters. */
  async text(answering: Answering, longest = Number.POSITIVE_INFINITY): Promise<string> {
    const lines: string[] = [];
    let length = 0;
    for await (const line of this.lines(answering, undefined, longest)) {
      lines.push(line);
      length += line.length + 1;
      if (length > longest) break;
    }
    return lines.join('\n');
  }

  /**
   * A text of an answer (a line, or the whole) as JSON of this shape; `value` is the JSON, where it is known already.
   * @throws ForeignAnswer when it is anything else: then it does not come from the server, or not all of it
   */
  parsed<T extends z.ZodType>(
    answering: Answering,
    schema: T,
    text: string,
    value: unknown = jsonIn(text),
  ): z.output<T> {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw this.foreign(answering, text);
    this.recognised(answering);
    return parsed.data;
  }

  /**
   * What the server said in an answer that is no success.
   * @throws ForeignAnswer when the body is no refusal of the server, or refuses another request
   * @throws TooOld when the server says that it and this device have no protocol in common
   * @throws OtherServerAnswered when it says that it is not the one that is expected
   */
  async refusal(answering: Answering): Promise<Refusal> {
    const text = await this.text(answering, longestRefusal);
    const refusal = refusalIn(jsonIn(text));
    // Older servers do not repeat the request, and the API never does.
    const { request = answering.name } = refusal ?? { request: null };
    if (refusal === null || request !== answering.name) throw this.foreign(answering, text);
    this.recognised(answering);
    if ('code' in refusal && refusal.code === 'other-server') throw this.#elsewhere();
    this.#mindAge(refusal);
    return refusal;
  }

  /** What the answer asks to wait, ms; null: nothing. */
  waitIn({ response }: Answering): number | null {
    return retryAfter(Object.fromEntries(response.headers), this.#environment.now());
  }

  /** The answer is the server's own. */
  recognised(answering: Answering): void {
    if (answering.isOurs) return;
    answering.isOurs = true;
    this.#reached.next(true);
    const { response, path, isFresh: isNew, sentAt, receivedAt } = answering;
    if (isNew) this.#clock.learnFromHeader(response.headers.get('date'), sentAt, receivedAt);
    this.forget((one) => one === path);
  }

  /** The answer is not the server's, or only a part of one. Returns the error to throw. */
  foreign({ response, path, abort, lastLine }: Answering, text: string = lastLine): ForeignAnswer {
    abort();
    const error = foreignAnswer(response, path, text);
    const interference = { ...error.said, at: this.#environment.now() };
    this.#interferences.set(path, interference);
    this.#interference.next(interference);
    return error;
  }

  /** What was asked for at these paths is not needed any more, or was answered: what stood in the way there is over. */
  forget(isOver: (path: string) => boolean): void {
    const before = this.#interferences.size;
    for (const path of this.#interferences.keys()) if (isOver(path)) this.#interferences.delete(path);
    if (this.#interferences.size === before) return;
    this.#interference.next([...this.#interferences.values()].at(-1) ?? null);
  }

  /** The server asked for a wait of `ms`; null: nobody waits for it any more. */
  askedToWait(ms: number | null): void {
    this.#cancelWait();
    this.#cancelWait =
      ms === null ? () => undefined : this.#environment.setTimer(() => this.askedToWait(null), ms);
    this.#waitUntil.next(ms === null ? null : this.#environment.now() + ms);
  }

  /** The protocol of the messages that are sent. */
  get protocol(): number {
    return this.#protocol;
  }

  /** Which of the two is too old for the other; null: neither, or nothing was said of it yet. */
  get tooOld(): Observable<TooOldSide | null> {
    return this.#tooOld;
  }

  /**
   * Learns from an answer which protocol is spoken.
   * @throws TooOld when this device does not speak it
   */
  learnProtocol(protocol: number): void {
    if (protocol < this.#protocols.oldest) throw this.#apart('server');
    if (protocol > this.#protocols.newest) throw this.#apart('app');
    this.#protocol = protocol;
    this.#tooOld.next(null);
  }

  #mindAge(refusal: Refusal): void {
    const code = 'code' in refusal ? refusal.code : null;
    if (code === 'client-too-old') throw this.#apart('app');
    if (code === 'server-too-old') throw this.#apart('server');
    // A server that knows one protocol only refuses the number of any other.
    const isNumber = refusal.errors?.some(({ field }) => field === 'protocol') === true;
    if (!isNumber) return;
    const isOldest = this.#protocol === this.#protocols.oldest;
    this.#protocol = this.#protocols.oldest;
    throw isOldest ? this.#apart('server') : new Unreachable('The server speaks another protocol now');
  }

  /** From now on only the server with this id counts; null: whichever is there. */
  expect(server: string | null): void {
    this.#expected = server;
  }

  /**
   * Learns from an answer which server made it; servers of before do not say.
   * @throws OtherServerAnswered when it is not the one that is expected
   */
  learnServer(server: string | undefined): void {
    if (this.#expected !== null && server !== undefined && server !== this.#expected) throw this.#elsewhere();
  }

  /** The way to the server that is expected is lost. */
  #elsewhere(): OtherServerAnswered {
    this.#reached.next(false);
    return new OtherServerAnswered();
  }

  #apart(side: TooOldSide): TooOld {
    this.#tooOld.next(side);
    return new TooOld(side);
  }

  /** Learns from an answer how far the server's feed reaches. */
  learnPlace(place: string | undefined): void {
    if (place !== undefined) this.#seen.note(place);
  }

  /** The server has another history: no place of before counts any more. */
  forgetPlace(): Promise<void> {
    return this.#seen.forget();
  }

  /**
   * Every request to `/sync/1` names what this device speaks, the highest place that it ever saw, which server it is
   * for, and itself. Who asks without a token asks whoever is there.
   */
  #announcing(path: string, { credentials }: RequestInit, name: string): string {
    if (!path.startsWith('/sync/1/')) return path;
    const { place } = this.#seen;
    const seen = place === null ? '' : `&seen=${place}`;
    const isForAnybody = this.#expected === null || credentials === 'omit';
    const server = isForAnybody ? '' : `&server=${this.#expected}`;
    const asker = `protocol=${announced(this.#protocols)}${seen}${server}&request=${name}`;
    return `${path}${path.includes('?') ? '&' : '?'}${asker}`;
  }

  /** Cryptographic randomness. */
  randomBytes(size: number): Uint8Array<ArrayBuffer> {
    return this.#environment.randomBytes(size);
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

function bytesOf(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size;
  if (typeof body === 'string') return new TextEncoder().encode(body).length;
  return 0;
}

/** A request that was answered; its body may still be on the way. */
export interface Answering {
  response: Response;
  abort: () => void;
  /** Whoever asked has ended the request: that its answer breaks off says nothing of the way to the server. */
  isUnwanted: () => boolean;
  /** What was asked for, without the query. */
  path: string;
  /** What heads and refusals repeat (`request`). */
  name: string;
  /** Monotonic ms of the request and of the beginning of the answer. */
  sentAt: number;
  receivedAt: number;
  /** Made for this request, not taken from a cache. */
  isFresh: boolean;
  /** Recognised as the server's own. */
  isOurs: boolean;
  /** The last line that was read of it, where it is read by lines. */
  lastLine: string;
}
