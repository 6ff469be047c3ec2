import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import type { Endpoint } from '#shared/api/endpoint.ts';

import { nameCaller } from './auth.ts';
import { recallViewer } from '../core/sessions.ts';
import type { Services } from '../core/services.ts';
import type { Viewer } from '../core/viewer.ts';
import { namesTag } from './etag.ts';
import { knownTarget } from './known-query.ts';
import { baseUrlOf } from './origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer was made before: it is complete as it is. */
    kept: boolean;
    /** What an answer is made from that may be kept; null: this one is not. */
    madeFrom: MadeFrom | null;
    /** Keeps the finished answer for the next who asks the same. */
    keep: ((payload: string, reply: FastifyReply) => void) | null;
  }
}

/** Bytes of all kept answers together, with what the smallest one takes. */
const mostKept = 32 * 1024 * 1024;
const leastBytes = 1024;
const headersKept = ['content-type', 'etag', 'cache-control', 'vary', 'link', 'x-total-count'];

/** The state of all that an answer depends on beside its caller and address. */
interface MadeFrom {
  /** Of the database. */
  version: number;
  /** Of the site's settings. */
  settings: number;
  /** Of the clock, where the answer lasts no longer. */
  second: number;
}

interface Kept {
  madeFrom: MadeFrom;
  /** As it is sent: making bytes of text again costs more than all the rest. */
  payload: Buffer;
  headers: Record<string, string>;
}

/** Prepares requests for keeping and finding answers. */
export function installResponseCache(app: FastifyInstance): void {
  app.decorateRequest('kept', false);
  app.decorateRequest('madeFrom', null);
  app.decorateRequest('keep', null);
}

/**
 * Finished answers of GETs, by caller and address. A caller gets only what was made for them: what they may see is part
 * of what the database says.
 *
 * Invalidation: an answer is sent while the state that it was made from (`MadeFrom`) is the present one; any commit or
 * change of a setting ends it. Beyond `mostKept` bytes, the answer that was not asked for longest goes.
 */
export class ResponseCache {
  readonly #services: Services;
  readonly #answers = new LRUCache<string, Kept>({
    maxSize: mostKept,
    sizeCalculation: ({ payload }) => leastBytes + payload.length,
  });
  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Answers with what was made before, if it holds still, and the caller is known at this state of the database. False:
   * the answer has to be made.
   */
  answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): boolean {
    if (!mayBeKept(request)) return false;
    const madeFrom = this.#stateFor(endpoint);
    // Noted before anybody looks at the caller or the records: what is written after this makes another state.
    request.madeFrom = madeFrom;
    const viewer = recallViewer(request.headers.authorization, this.#services, madeFrom.version);
    if (viewer === undefined) return false;
    const known = this.#answers.get(keyOf(endpoint, request, viewer));
    if (known === undefined || !isSame(known.madeFrom, madeFrom)) return false;
    nameCaller(request, viewer);
    sendKept(request, reply, known);
    return true;
  }

  /** Makes sure that the answer to a request is kept when it is made, if it may be. */
  expect(endpoint: Endpoint, request: FastifyRequest, viewer: Viewer): void {
    const { madeFrom } = request;
    if (madeFrom === null) return;
    const key = keyOf(endpoint, request, viewer);
    request.keep = (payload, reply) => {
      // Written meanwhile: parts of the answer may be older than others.
      if (isSame(this.#stateFor(endpoint), madeFrom))
        this.#answers.set(key, { madeFrom, payload: Buffer.from(payload), headers: headersOf(reply) });
    };
  }

  #stateFor({ lasts }: Endpoint): MadeFrom {
    const { storage, siteLoads, now } = this.#services;
    const second = lasts === 'one-second' ? Math.floor(now() / 1000) : 0;
    return { version: storage.version(), settings: siteLoads.count, second };
  }
}

function isSame(one: MadeFrom, other: MadeFrom): boolean {
  return one.version === other.version && one.settings === other.settings && one.second === other.second;
}

/** Unknown parameters do not change the answer, so inventing some does not bypass kept answers. */
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

/** HEAD has another body, translation asks another server, and `no-cache` asks for an answer made now. */
function mayBeKept(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    !request.url.includes('machineTranslateLangid') &&
    request.headers['cache-control'] !== 'no-cache'
  );
}

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    headersKept.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** Answers with what was made before; 304 to whom has it. */
function sendKept(request: FastifyRequest, reply: FastifyReply, { payload, headers }: Kept): void {
  request.kept = true;
  reply.headers(headers);
  if (!namesTag(request.headers['if-none-match'], headers['etag'] ?? '')) void reply.send(payload);
  else void reply.status(304).removeHeader('content-type').send();
}
