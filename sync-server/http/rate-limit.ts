import { type Server, Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { Problem } from '#shared/api/problem.ts';

import { authenticate, recallViewer } from '../core/sessions.ts';
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
    /** The caller that the request counts for; null: it is not counted. */
    caller: Caller | null;
  }
}

const windowMs = 60_000;
/** Answers below this, bytes, are not counted. */
const smallAnswer = 64 * 1024;
/** Callers remembered at once; the one that was not heard of for longest goes first. */
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

  /** Counts a request until it is answered, and reports how many are left. @throws Problem 429 when there are too many */
  enter(request: FastifyRequest, reply: FastifyReply, caller: Caller): void {
    const { services, limits, connections } = this.#options;
    const { socket } = request.raw;
    const isOverWire = socket instanceof Socket;
    if (isOverWire) connections.belongsTo(socket, caller);
    const usual = caller.isKnown ? limits.devicePerMinute : limits.anonymousPerMinute;
    countRequest(reply, this.#counters.count(caller.name), services.site.requests_per_minute ?? usual);
    // A call of a batch is part of a request that was already counted.
    if (!isOverWire) return;
    if (isStream(request)) {
      mustNotExceed(this.#counters.count(`streams of ${caller.name}`), limits.streamsPerMinute);
      return;
    }
    this.#unread.mustHaveRead(caller);
    const place = this.#inFlight.enter(caller);
    request.place = place;
    reply.raw.once('close', () => place.leave());
    request.caller = caller;
  }

  /** Counts an answer until it is read. @throws Problem 429 or 503 when too much is waiting to be read */
  answer({ caller, kept }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    // A kept answer is in memory once, however many read it.
    if (caller === null || kept || typeof payload !== 'string' || payload.length < smallAnswer) return;
    reply.raw.once('close', this.#unread.hold(caller, Buffer.byteLength(payload)));
  }
}

/**
 * Limits the requests of each device (or address, for nobody). The calls inside a batch count one by one in the minute,
 * because each is a request of the API. Pictures, the app's own files and what names nothing are free.
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
  // Before the hooks of routes, one of which answers; and no promise for who is known already.
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
    const known = recallViewer(request.headers.authorization, services, services.storage.version());
    if (known !== undefined) return entered(known);
    viewerOrNobody(request, services).then(entered, goOn);
  });
}

/** Whether a request is for the pages around training modules, which look up sessions and make them. */
function opensModules({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/modules/') === true;
}

/** Undefined for an invalid token, as for none. It counts for the address; otherwise guessing tokens would be free. */
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

/** How many event streams are open has limits of its own. */
function isStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isStream === true;
}

/** Returns how many requests are left; throws 429 if none are. */
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
  /** How long the window still lasts, ms. */
  ttl: number;
}

/** Requests of each caller in windows that begin with a first request. */
class Counters {
  readonly #now: () => number;
  readonly #windows = new LRUCache<string, { since: number; count: number }>({ max: mostCallers });
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many requests that makes in the window. */
  count(key: string): Count {
    const now = this.#now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && now < known.since + windowMs;
    const window = isOpen ? { since: known.since, count: known.count + 1 } : { since: now, count: 1 };
    this.#windows.set(key, window);
    return { current: window.count, ttl: window.since + windowMs - now };
  }
}
