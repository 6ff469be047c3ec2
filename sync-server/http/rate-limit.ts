import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
export function installRateLimit(app: FastifyInstance, services: Services): void {
  const counters = new Counters(services.now);
  app.addHook('onRequest', (request, reply, goOn) => {
    const { requestsPerMinute: most } = services.site;
    if (most === null || !isCounted(request)) return goOn();
    countRequest(most, counters, request, reply, services).then(() => goOn(), goOn);
  });
}

/** Throws 429 when it is one too many. */
async function countRequest(
  most: number,
  counters: Counters,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  const { count, leftMs } = counters.count(await callerOf(request, services));
  const retryAfterSeconds = Math.ceil(leftMs / 1000);
  reply.headers({
    'RateLimit-Limit': most,
    'RateLimit-Remaining': Math.max(0, most - count),
    'RateLimit-Reset': retryAfterSeconds,
  });
  if (count > most)
    throw new Problem(
      'too-many-requests',
      `Too many requests. Wait ${retryAfterSeconds} seconds and try again`,
      { retryAfterSeconds },
    );
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
  count(key: string): { count: number; leftMs: number } {
    const now = this.#now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && now < known.since + windowMs;
    const window = isOpen ? { since: known.since, count: known.count + 1 } : { since: now, count: 1 };
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size > mostCallers) this.#windows.delete(this.#windows.keys().next().value ?? '');
    return { count: window.count, leftMs: window.since + windowMs - now };
  }
}
