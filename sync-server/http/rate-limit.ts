import { type Server, Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { Problem } from '#shared/api/problem.ts';

import { authenticate, recallViewer } from '../core/sessions.ts';
import { versionFor } from './request-viewer.ts';
import type { Connections } from './connections.ts';
import type { Services } from '../core/services.ts';
import type { Viewer } from '../core/viewer.ts';
import { isApi } from './cross-origin.ts';
import { addressHolder, type Caller, InFlight, personHolder } from './in-flight.ts';
import type { Limits } from './limits.ts';
import { SlowBodies, takeExpectations } from './slow-bodies.ts';
import { UnreadAnswers } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that the request is counted for; null: it is not counted. */
    caller: Caller | null;
  }
}

const windowMs = 60_000;
/** Smaller responses, bytes, are not counted. */
const smallAnswer = 64 * 1024;
/** Maximum number of callers counted at the same time; the least recently seen is dropped first. */
const mostCallers = 20_000;

interface CallerLimitOptions {
  services: Pick<Services, 'now' | 'site'>;
  limits: Limits;
  connections: Connections;
}

/** Limits each caller: requests per minute and at the same time, memory, and connections. */
export class CallerLimits {
  readonly #options: CallerLimitOptions;
  readonly #counters: Counters;
  readonly #inFlight: InFlight;
  readonly #unread: UnreadAnswers;

  constructor(options: CallerLimitOptions) {
    this.#options = options;
    this.#counters = new Counters(options.services.now);
    this.#inFlight = new InFlight(options.limits);
    this.#unread = new UnreadAnswers(options.limits);
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  /** Watches the connections and bodies of a server that is about to listen. */
  watch(server: Server, isPlain: boolean): void {
    const { connections, limits } = this.#options;
    connections.watch(server, isPlain);
    new SlowBodies(limits).watch(server);
    takeExpectations(server);
  }

  /**
   * Counts a request until its response ends, and sets the `RateLimit-*` headers.
   * @throws Problem 429 if there are too many
   */
  enter(request: FastifyRequest, reply: FastifyReply, caller: Caller): void {
    const { services, limits, connections } = this.#options;
    const { socket } = request.raw;
    const isOverWire = socket instanceof Socket;
    if (isOverWire) connections.belongsTo(socket, caller);
    const usual = caller.isKnown ? limits.devicePerMinute : limits.anonymousPerMinute;
    countRequest(reply, this.#counters.count(caller.name), services.site.requests_per_minute ?? usual);
    // A call of a batch belongs to a request that was already counted.
    if (!isOverWire) return;
    if (isStream(request)) {
      mustNotExceed(this.#counters.count(`streams of ${caller.name}`), limits.streamsPerMinute);
      return;
    }
    this.#unread.mustHaveRead(caller);
    const slot = this.#inFlight.enter(caller);
    request.slot = slot;
    reply.raw.once('close', () => slot.leave());
    request.caller = caller;
  }

  /** Counts a response until the client has read it. @throws Problem 429 or 503 if too much is unread */
  answer({ caller, isCached }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    // A cached response is in memory once, however many clients read it.
    if (caller === null || isCached || typeof payload !== 'string' || payload.length < smallAnswer) return;
    reply.raw.once('close', this.#unread.hold(caller, Buffer.byteLength(payload)));
  }
}

/**
 * Limits the requests of each device or, without a token, address.
 *
 * - LOAD-9 Requests are limited by default, by matched route, however the address is escaped: 3,000 a minute from one
 *   address (a /64 of IPv6) without a valid token. Responses state how many are left (`RateLimit-Limit`, `-Remaining`,
 *   `-Reset`); beyond the limit the answer is 429 with `Retry-After`. Pictures, the app's files and unknown paths do
 *   not count. Requests to the player of training modules, and to the pages around it, do count; those of an open
 *   module count for its learner, within the limit of a device.
 * - LOAD-10 A device (a session) can make 60,000 requests a minute, however many others share its address. The calls
 *   of a batch count individually: a queue of 50,000 takes 250 batches, 50,250 in all. The setting
 *   `requests_per_minute` replaces both numbers.
 */
export function installRateLimit(app: FastifyInstance, services: Services, callers: CallerLimits): void {
  app.decorateRequest('caller', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      callers.answer(request, reply, payload);
      done(null, payload);
    } catch (error) {
      reply.removeHeader('etag');
      done(error as Error);
    }
  });
  // Runs before the hooks of routes, one of which sends cached responses. No promise for known callers, because each
  // costs time.
  app.addHook('onRequest', (request, reply, goOn) => {
    if (request.is404 || !(isApi(request) || opensModules(request))) return goOn();
    const entered = (viewer: Viewer | undefined): void => {
      let refusal: unknown;
      try {
        callers.enter(request, reply, callerOf(request, viewer));
      } catch (error) {
        refusal = error;
      }
      goOn(refusal as Error | undefined);
    };
    const known = recallViewer(request.headers.authorization, services, versionFor(request, services));
    if (known !== undefined) return entered(known);
    viewerOrNobody(request, services).then(entered, goOn);
  });
}

/** Whether a request is for the pages around training modules, which look up and create sessions. */
function opensModules({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/modules/') === true;
}

/**
 * Undefined for an invalid or missing token. Invalid ones count for the address; otherwise guessing tokens would be
 * free.
 */
async function viewerOrNobody(request: FastifyRequest, services: Services): Promise<Viewer | undefined> {
  return authenticate(request.headers.authorization, services).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
}

function callerOf({ ip }: FastifyRequest, viewer: Viewer | undefined): Caller {
  if (viewer === undefined || viewer.userid === 0) return stranger(ip);
  return { name: `device ${viewer.tokenHash}`, holder: personHolder(viewer.userid), isKnown: true };
}

/** An anonymous caller at an address. */
export function stranger(ip: string): Caller {
  const name = addressHolder(ip);
  return { name, holder: name, isKnown: false };
}

/** Event streams have limits of their own (`sync/streams.ts`). */
function isStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isStream === true;
}

/** Sets the headers that state how many requests are left. @throws Problem 429 if none are */
function countRequest(reply: FastifyReply, { current, ttl }: Count, most: number): void {
  const seconds = Math.ceil(ttl / 1000);
  reply.headers({
    'RateLimit-Limit': String(most),
    'RateLimit-Remaining': String(Math.max(0, most - current)),
    'RateLimit-Reset': String(seconds),
  });
  mustNotExceed({ current, ttl }, most);
}

function mustNotExceed({ current, ttl }: Count, most: number): void {
  const seconds = Math.ceil(ttl / 1000);
  if (current > most)
    throw new Problem('too-many-requests', `Too many requests. Wait ${seconds} seconds and try again`, {
      retryAfterSeconds: seconds,
    });
}

interface Count {
  current: number;
  /** Remaining time of the window, ms. */
  ttl: number;
}

/** Counts requests in fixed windows, each beginning with the first request. */
class Counters {
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, { since: number; count: number }>({ max: mostCallers });
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request. Returns the number of requests in the window. */
  count(key: string): Count {
    const now = this.#now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && now < known.since + windowMs;
    const window = isOpen ? { since: known.since, count: known.count + 1 } : { since: now, count: 1 };
    this.#windows.set(key, window);
    return { current: window.count, ttl: window.since + windowMs - now };
  }
}
