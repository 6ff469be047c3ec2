/**
 * The response cache: complete GET responses in memory.
 *
 * - CACHE-1 The response of a GET is cached if its table states how long it lasts (`lasts`), and sent again, with its
 *   headers, to the same caller at the same address. Nobody gets a response that was made for another caller.
 * - CACHE-2 It is valid until anything is written, by any process: each call asks for the version number of the
 *   database.
 * - CACHE-3 It is valid until a setting of the site changes.
 * - CACHE-4 The caller is looked up first, at the same version of the database. A revoked or expired token is refused.
 * - CACHE-5 If a response depends on the clock, it is valid for the second in which it was made.
 * - CACHE-6 A response is not cached if something was written while it was made. The version is read before the caller
 *   is looked up.
 * - CACHE-7 `Cache-Control: no-cache` requests a new response. A client that already has it gets 304.
 * - CACHE-8 No other responses are cached.
 * - CACHE-9 A request that is answered from the cache is like any other: it counts for the limits of callers, is
 *   logged with the person, and has its own request id.
 * - CACHE-10 Unknown parameters are not part of the address, so callers cannot cause additional work by inventing
 *   them. Links to other pages leave them out.
 *
 * Cached responses are sent by the `onRequest` hook of their route, after the hooks of all routes (request ids, other
 * origins, limits). Those hooks use callbacks instead of `async`, because each promise costs as much as the work
 * itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import type { Endpoint } from '#shared/api/endpoint.ts';

import { nameCaller, versionFor } from './request-viewer.ts';
import { recallViewer } from '../core/sessions.ts';
import type { Services } from '../core/services.ts';
import type { Viewer } from '../core/viewer.ts';
import { namesTag } from './etag.ts';
import { baseUrlOf } from './proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the response comes from the cache; it is already complete. */
    isCached: boolean;
    /** The state that the response is made from; null: it is not cached. */
    madeFrom: MadeFrom | null;
    /** Stores the complete response in the cache. */
    cacheResponse: ((payload: string, reply: FastifyReply) => void) | null;
  }
}

/** Maximum size of all cached responses, and overhead of each, bytes. */
const mostCachedBytes = 32 * 1024 * 1024;
const entryOverhead = 1024;
const cachedHeaders = ['content-type', 'etag', 'cache-control', 'vary', 'link', 'x-total-count'];

/** Everything that a response depends on besides its caller and address. */
interface MadeFrom {
  /** Version of the database. */
  version: number;
  /** Version of the site's settings. */
  settings: number;
  /** UNIX seconds, if the response is valid for one second only; else 0. */
  second: number;
}

interface CachedResponse {
  madeFrom: MadeFrom;
  /** As bytes, because encoding text again costs more than everything else. */
  payload: Buffer;
  headers: Record<string, string>;
}

/**
 * The bytes of a text in memory of their own. `Buffer.from` would put a short text into a block of 8 KB that it shares with
 * others: one cached response keeps all of the block, so the cache took three times `mostCachedBytes`.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Adds the properties of requests that the cache uses. */
export function installResponseCache(app: FastifyInstance): void {
  app.decorateRequest('isCached', false);
  app.decorateRequest('madeFrom', null);
  app.decorateRequest('cacheResponse', null);
}

/**
 * Complete responses of GETs, by caller and address.
 *
 * Invalidation: a response is valid while the state that it was made from (`MadeFrom`) is current; any commit or
 * change of a setting ends that. Beyond `mostCachedBytes` bytes, the least recently used response is removed.
 */
export class ResponseCache {
  readonly #services: Services;
  readonly #answers = new LRUCache<string, CachedResponse>({
    maxSize: mostCachedBytes,
    sizeCalculation: ({ payload }) => entryOverhead + payload.length,
  });
  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Sends the cached response if it is still valid and the caller is known at this version of the database. Returns
   * false if the response has to be made.
   */
  answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): boolean {
    if (!mayBeCached(request)) return false;
    const madeFrom = this.#stateAt(endpoint, versionFor(request, this.#services));
    // Read before the caller and the records: a write after this changes the state (CACHE-6).
    request.madeFrom = madeFrom;
    const viewer = recallViewer(request.headers.authorization, this.#services, madeFrom.version);
    if (viewer === undefined) return false;
    const known = this.#answers.get(keyOf(endpoint, request, viewer));
    if (known === undefined || !isSame(known.madeFrom, madeFrom)) return false;
    nameCaller(request, viewer);
    sendCached(request, reply, known);
    return true;
  }

  /** Prepares a request so that its response is cached once it is made, if it may be. */
  expect(endpoint: Endpoint, request: FastifyRequest, viewer: Viewer): void {
    const { madeFrom } = request;
    if (madeFrom === null) return;
    const key = keyOf(endpoint, request, viewer);
    request.cacheResponse = (payload, reply) => {
      // If something was written meanwhile, parts of the response may be older than others.
      if (isSame(this.#stateAt(endpoint, this.#services.storage.version()), madeFrom))
        this.#answers.set(key, { madeFrom, payload: ownBytes(payload), headers: headersOf(reply) });
    };
  }

  #stateAt({ lasts }: Endpoint, version: number): MadeFrom {
    const { siteLoads, now } = this.#services;
    const second = lasts === 'one-second' ? Math.floor(now() / 1000) : 0;
    return { version, settings: siteLoads.count, second };
  }
}

function isSame(one: MadeFrom, other: MadeFrom): boolean {
  return one.version === other.version && one.settings === other.settings && one.second === other.second;
}

/** The key of a response. Unknown parameters are not part of it (CACHE-10). */
function keyOf(endpoint: Endpoint, request: FastifyRequest, { userid, impersonator }: Viewer): string {
  return `${userid} ${impersonator ?? ''} ${baseUrlOf(request)}${sorted(knownTarget(endpoint, request.url))}`;
}

function sorted(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const query = new URLSearchParams(url.slice(start));
  query.sort();
  return `${url.slice(0, start)}?${query.toString()}`;
}

/** HEAD has another body, translation calls another server, and `no-cache` requests a new response. */
function mayBeCached(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    !request.url.includes('machineTranslateLangid') &&
    request.headers['cache-control'] !== 'no-cache'
  );
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    cachedHeaders.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Sends a cached response, or 304 if the client has it. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, headers }: CachedResponse,
): void {
  request.isCached = true;
  reply.headers(headers);
  if (!namesTag(request.headers['if-none-match'], headers['etag'] ?? '')) void reply.send(payload);
  else void reply.status(304).removeHeader('content-type').send();
}

/** Parameters that every call reads, in addition to those that its table declares. */
const commonParameters = ['lang', 'langid'];

/**
 * Path and query of a call without parameters that its endpoint does not read. Of repeated names the last one counts.
 */
export function knownTarget({ query }: Pick<Endpoint, 'query'>, url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const names = query === undefined ? [] : parameterNamesOf(query);
  // The schema does not tell: cache each address separately.
  if (names === undefined) return url;
  const read = new Set([...names, ...commonParameters]);
  const known = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(url.slice(start + 1)))
    if (read.has(name)) known.set(name, value);
    else if (name === 'pretty') known.set(name, '');
  const search = known.toString();
  return url.slice(0, start) + (search === '' ? '' : `?${search}`);
}

function parameterNamesOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodPipe) return parameterNamesOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined;
}
