import { BehaviorSubject, combineLatest, distinctUntilChanged, map, type Observable } from 'rxjs';
import type { z } from 'zod';

import { protocolRange, type ProtocolRange } from '#shared/sync/protocol.ts';

import type { Interference } from '../api/sync-records.ts';
import { retryAfter } from '../platform/backoff.ts';
import type { ServerClock } from '../platform/clock.ts';
import type { Environment } from '../platform/ports.ts';
import { Announcement, type Waiting } from './announcement.ts';
import { type Answering, isFresh, linesOf } from './answering.ts';
import {
  OtherServerAnswered,
  Unreachable,
  type ForeignAnswer,
  type TooOldSide,
} from './connection-errors.ts';
import { Interferences } from './interferences.ts';
import type { HighWaterMark } from './mirror/high-water-mark.ts';
import { foreignAnswer, withOwnRefusal } from './own-answer.ts';
import { longestWait, withoutSilence } from './patient-fetch.ts';
import { jsonIn, refusalIn, type Refusal } from './recognise.ts';
import { SpokenProtocol } from './spoken-protocol.ts';

/** Least bytes per ms of a request body: three quarters of the slowest supported connection (16 KB/s). */
const slowest = 12;
/** Characters of a refusal that are read. Refusals of the server are shorter. */
const longestRefusal = 1024 * 1024;

const nothingSeen = { place: null, note: () => undefined, forget: () => Promise.resolve() };

/** Requests to one server under one sign-in, and what their answers show about being online. */
export class ServerConnection {
  readonly server: string;
  readonly #environment: Environment;
  readonly #clock: ServerClock;
  readonly #token: () => string | null;
  readonly #appId: string | null;
  readonly #protocol: SpokenProtocol;
  readonly #announcement: Announcement;
  readonly #seen: Pick<HighWaterMark, 'place' | 'note' | 'forget'>;
  readonly #reached = new BehaviorSubject(true);
  readonly #interferences = new Interferences();
  readonly #waitUntil = new BehaviorSubject<number | null>(null);
  #namesRequests = false;
  #cancelWait: () => void = () => undefined;
  /** True while the platform is online and the server answered the last request. */
  readonly online: Observable<boolean>;

  constructor(
    server: string,
    token: () => string | null,
    appId: string | null,
    environment: Environment,
    clock: ServerClock,
    protocols: ProtocolRange = protocolRange,
    seen: Pick<HighWaterMark, 'place' | 'note' | 'forget'> = nothingSeen,
  ) {
    this.server = server;
    this.#token = token;
    this.#appId = appId;
    this.#environment = environment;
    this.#clock = clock;
    this.#seen = seen;
    this.#protocol = new SpokenProtocol(protocols);
    this.#announcement = new Announcement(environment, this.#protocol, seen);
    this.online = combineLatest([environment.online, this.#reached]).pipe(
      map(([platform, reached]) => platform && reached),
      distinctUntilChanged(),
    );
  }

  /** The latest foreign answer, until the server itself answers at that path. */
  get interference(): Observable<Interference | null> {
    return this.#interferences.latest;
  }

  /** Until when the server asked this device to wait, ms since 1970; null: it did not, or that time is over. */
  get waitUntil(): Observable<number | null> {
    return this.#waitUntil;
  }

  /** The token of the next request. */
  get token(): string | null {
    return this.#token();
  }

  /** The protocol of the messages that are sent. */
  get protocol(): number {
    return this.#protocol.current;
  }

  /** Which side is too old for the other; null: neither, or the server has not said yet. */
  get tooOld(): Observable<TooOldSide | null> {
    return this.#protocol.tooOld;
  }

  /**
   * Sends a request with the token, unless its `credentials` are `omit`. Resolves to any answer, also of an intermediary: its
   * content must be recognised before it is used (`parsed`, `refusal`).
   * @throws Unreachable when there is no answer within `timeout` ms
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
      const response = await this.#environment.fetch(
        this.server + this.#announcement.addTo(path, init, name),
        {
          ...init,
          headers,
          signal: AbortSignal.any([abort.signal, ...(init.signal ? [init.signal] : [])]),
          // The server never redirects a call. Following a redirect would send another request, usually a GET.
          redirect: 'manual',
        },
      );
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
   * `request` for callers that read the answer themselves. A refusal in it was recognised as the server's; the caller
   * has to recognise the content of a success. Reading the body throws `Unreachable` when it stalls or breaks off.
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
   * Lines of an answer as they arrive (`linesOf`). `idle`: longest silence, ms. `longest`: characters after which a line
   * is cut off and is the last one.
   * @throws Unreachable when the answer stalls or breaks off
   */
  lines(answering: Answering, idle?: number, longest?: number): AsyncGenerator<string> {
    return linesOf(answering, {
      setTimer: (run, ms) => this.#environment.setTimer(run, ms),
      noteReached: (isReached) => this.#reached.next(isReached),
      idle,
      longest,
    });
  }

  /** The whole text of an answer, cut off after about `longest` characters. */
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
   * Reads `text` (a line of an answer, or all of it) as JSON of this shape. `value`: the JSON, if it was read already.
   * @throws ForeignAnswer for anything else: it does not come from the server, or is incomplete
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
   * The refusal in an answer that is not a success.
   * @throws ForeignAnswer when the body is not a refusal of the server, or refuses another request
   * @throws TooOld when the server says that it and this device have no protocol in common
   * @throws OtherServerAnswered when the server says that it is not the expected one
   */
  async refusal(answering: Answering): Promise<Refusal> {
    const text = await this.text(answering, longestRefusal);
    const refusal = refusalIn(jsonIn(text));
    // Older servers do not repeat the request, and the API never does.
    const { request = answering.name } = refusal ?? { request: null };
    if (refusal === null || request !== answering.name) throw this.foreign(answering, text);
    this.recognised(answering);
    if ('code' in refusal && refusal.code === 'other-server') throw this.#elsewhere();
    this.#protocol.checkRefusal(refusal);
    return refusal;
  }

  /** How long the answer asks to wait, ms; null: it does not. */
  waitIn({ response }: Answering): number | null {
    return retryAfter(Object.fromEntries(response.headers), this.#environment.now());
  }

  /** Notes that the answer is the server's own. */
  recognised(answering: Answering): void {
    if (answering.isOurs) return;
    answering.isOurs = true;
    this.#reached.next(true);
    const { response, path, isFresh: isNew, sentAt, receivedAt } = answering;
    if (isNew) this.#clock.learnFromHeader(response.headers.get('date'), sentAt, receivedAt);
    this.forget((one) => one === path);
  }

  /** Notes that the answer is not the server's, or is incomplete. Returns the error to throw. */
  foreign({ response, path, abort, lastLine }: Answering, text: string = lastLine): ForeignAnswer {
    abort();
    const error = foreignAnswer(response, path, text);
    this.#interferences.note(path, { ...error.said, at: this.#environment.now() });
    return error;
  }

  /** Forgets foreign answers at paths that were answered by the server, or are not needed any more. */
  forget(isOver: (path: string) => boolean): void {
    this.#interferences.forget(isOver);
  }

  /** The server asked for a wait of `ms`; null: the wait is over. */
  askedToWait(ms: number | null): void {
    this.#cancelWait();
    this.#cancelWait =
      ms === null ? () => undefined : this.#environment.setTimer(() => this.askedToWait(null), ms);
    this.#waitUntil.next(ms === null ? null : this.#environment.now() + ms);
  }

  /**
   * Learns from an answer which protocol is spoken.
   * @throws TooOld when this device does not speak it
   */
  learnProtocol(protocol: number): void {
    this.#protocol.learn(protocol);
  }

  /** Learns, from an answer that no cache can hold, whether the server's answers name their requests (protocol 6). */
  learnNaming(namesRequests: boolean): void {
    this.#namesRequests = namesRequests;
  }

  /**
   * Whether an answer belongs to its request. `name`: the request that it names; undefined: it names none, so a cache may
   * have stored it for a device of an older version, or the server has been replaced by an older version. The server is
   * then asked again who it is.
   */
  isAnswer(answering: Answering, name: string | undefined): boolean {
    if (name !== undefined) return name === answering.name;
    if (this.#namesRequests) this.#reached.next(false);
    return !this.#namesRequests;
  }

  /** From now on only answers of the server with this id count; null: of any server. */
  expect(server: string | null): void {
    this.#announcement.expected = server;
  }

  /**
   * Checks which server made an answer; older servers do not say.
   * @throws OtherServerAnswered when it is not the expected one
   */
  learnServer(server: string | undefined): void {
    const { expected } = this.#announcement;
    if (expected !== null && server !== undefined && server !== expected) throw this.#elsewhere();
  }

  /** The expected server is not reached any more. */
  #elsewhere(): OtherServerAnswered {
    this.#reached.next(false);
    return new OtherServerAnswered();
  }

  /** Learns from an answer how far the server's feed reaches. */
  learnPlace(place: string | undefined): void {
    if (place !== undefined) this.#seen.note(place);
  }

  /** The server has another history: earlier checkpoints do not count any more. */
  forgetPlace(): Promise<void> {
    return this.#seen.forget();
  }

  /** Reports from now on what waits to be sent, as `read` finds it. */
  reportWaiting(read: () => Waiting | null): void {
    this.#announcement.reportWaiting(read);
  }

  /** Cryptographic randomness. */
  randomBytes(size: number): Uint8Array<ArrayBuffer> {
    return this.#environment.randomBytes(size);
  }

  /** Learns the server's clock from `now` (ms since 1970) in an answer that just began. */
  learnNow(serverNow: number, { sentAt }: Answering): void {
    this.#clock.learn({ serverNow, sentAt, receivedAt: this.#environment.monotonic() });
  }
}

function bytesOf(body: RequestInit['body']): number {
  if (body instanceof Blob) return body.size;
  if (typeof body === 'string') return new TextEncoder().encode(body).length;
  return 0;
}
