import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { syncPrefix } from '#server/sync/routes.ts';

import { authenticate } from './auth.ts';
import type { Services } from './context.ts';
import { apiPrefix } from './mount.ts';

const windowMs = 60_000;
/** Callers remembered at once; the one that was not heard of for longest goes first. */
const mostCallers = 10_000;

/**
 * Limits the requests of each person (or address, for nobody) within a minute, when the site says so, and tells them how
 * many are left. The calls inside a batch count one by one, because each is a request of the API; an event stream counts
 * once. Pictures, the app's own files and what names nothing are free.
 */
export async function installRateLimit(app: FastifyInstance, services: Services): Promise<void> {
  const counters = new Counters(services.now);
  await app.register(rateLimit, {
    global: false,
    timeWindow: windowMs,
    max: () => services.site.requestsPerMinute ?? Number.POSITIVE_INFINITY,
    keyGenerator: (request) => callerOf(request, services),
    enableDraftSpec: true,
    store: class implements FastifyRateLimitStore {
      incr(
        key: string,
        done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      ): void {
        done(null, counters.count(key));
      }
      child(): FastifyRateLimitStore {
        return this;
      }
    },
    errorResponseBuilder: (_request, { ttl }) => {
      const retryAfterSeconds = Math.ceil(ttl / 1000);
      return new Problem(
        'too-many-requests',
        `Too many requests. Wait ${retryAfterSeconds} seconds and try again`,
        { retryAfterSeconds },
      );
    },
  });
  const limit = app.rateLimit();
  // Before the hooks of routes, one of which answers; and no promise for requests that nobody counts.
  app.addHook('onRequest', (request, reply, goOn) => {
    if (services.site.requestsPerMinute === null || !isCounted(request)) return goOn();
    limit.call(app, request, reply).then(() => goOn(), goOn);
  });
}

function isCounted(request: FastifyRequest): boolean {
  if (request.is404) return false;
  return [apiPrefix, syncPrefix, '/omanual'].some((prefix) => request.url.startsWith(`${prefix}/`));
}

/** A token that is none counts for the address, or guessing tokens would be free. */
async function callerOf(request: FastifyRequest, services: Services): Promise<string> {
  const viewer = await authenticate(request.headers.authorization, services).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  return viewer === undefined || viewer.userid === 0 ? `address ${request.ip}` : `user ${viewer.userid}`;
}

/** Requests of each caller in windows that begin with a first request. */
class Counters {
  readonly #now: () => number;
  readonly #windows = new Map<string, { since: number; count: number }>();
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many requests that makes in the window, and how long it still lasts, in ms. */
  count(key: string): { current: number; ttl: number } {
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
