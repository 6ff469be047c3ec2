import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { addressBlock } from '#server/work/address-block.ts';

import { authenticate, recallViewer } from './auth.ts';
import { hasBody } from './body.ts';
import type { Connections } from './connections.ts';
import type { Services, Viewer } from './context.ts';
import { isApi } from './cross-origin.ts';
import { type Caller, InFlight } from './in-flight.ts';
import { entranceBytes, type Limits } from './limits.ts';

const windowMs = 60_000;
/** Callers remembered at once; the one that was not heard of for longest goes first. */
const mostCallers = 20_000;

/**
 * Limits the requests of each device (or address, for nobody): within a minute, where it tells them how many are left,
 * and at the same time. The calls inside a batch count one by one in the minute, because each is a request of the API.
 * Pictures, the app's own files and what names nothing are free.
 */
export function installRateLimit(
  app: FastifyInstance,
  services: Services,
  limits: Limits,
  connections: Connections,
): void {
  const counters = new Counters(services.now);
  const inFlight = new InFlight(limits);
  const enter = (request: FastifyRequest, reply: FastifyReply, viewer: Viewer | undefined): void => {
    const caller = callerOf(request, viewer);
    const { socket } = request.raw;
    if (caller.isKnown) connections.know(socket);
    const usual = caller.isKnown ? limits.devicePerMinute : limits.anonymousPerMinute;
    countRequest(reply, counters.count(caller.name), services.site.requestsPerMinute ?? usual);
    // A call of a batch is inside of a request that was counted.
    if (!(socket instanceof Socket) || isStream(request)) return;
    reply.raw.once('close', inFlight.enter(caller, bytesInMemory(request, caller)));
  };
  // Before the hooks of routes, one of which answers; and no promise for who is known already.
  app.addHook('onRequest', (request, reply, goOn) => {
    if (request.is404 || !isApi(request)) return goOn();
    const entered = (viewer: Viewer | undefined): void => {
      let refusal: unknown;
      try {
        enter(request, reply, viewer);
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

/** Of a token that is none: undefined, as of nobody. It counts for the address, or guessing tokens would be free. */
async function viewerOrNobody(request: FastifyRequest, services: Services): Promise<Viewer | undefined> {
  return authenticate(request.headers.authorization, services).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
}

function callerOf({ ip }: FastifyRequest, viewer: Viewer | undefined): Caller {
  if (viewer !== undefined && viewer.userid !== 0)
    return { name: `device ${viewer.tokenHash}`, holder: `user ${viewer.userid}`, isKnown: true };
  const name = `address ${addressBlock(ip)}`;
  return { name, holder: name, isKnown: false };
}

/** Event streams have limits of their own. */
function isStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isStream === true;
}

/** The memory that a body may come to take; files, and pieces of them, go to the disk. */
function bytesInMemory({ raw, routeOptions }: FastifyRequest, { isKnown }: Caller): number {
  const { endpoint, documented } = routeOptions.config;
  if (!hasBody(raw) || (endpoint ?? documented)?.consumes === 'bytes') return 0;
  const most = isKnown ? routeOptions.bodyLimit : entranceBytes;
  return Math.min(most, lengthOf(raw) ?? most);
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Tells how many requests are left; throws 429 where none is. */
function countRequest(reply: FastifyReply, { current, ttl }: Count, most: number): void {
  const seconds = Math.ceil(ttl / 1000);
  reply.headers({
    'RateLimit-Limit': String(most),
    'RateLimit-Remaining': String(Math.max(0, most - current)),
    'RateLimit-Reset': String(seconds),
  });
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
  readonly #windows = new Map<string, { since: number; count: number }>();
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many requests that makes in the window. */
  count(key: string): Count {
    const now = this.#now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && now < known.since + windowMs;
    const window = isOpen ? { since: known.since, count: known.count + 1 } : { since: now, count: 1 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size > mostCallers) this.#windows.delete(this.#windows.keys().next().value ?? '');
    return { current: window.count, ttl: window.since + windowMs - now };
  }
}
