import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Endpoint } from '#shared/api/endpoint.ts';

import type { Services, Viewer } from './context.ts';
import { namesTag } from './etag.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer was made before: it is complete as it is. */
    kept: boolean;
    /** Keeps the finished answer for the next who asks the same. */
    keep: ((payload: string, reply: FastifyReply) => void) | null;
  }
}

/** Bytes of all kept answers together. */
const mostKept = 32 * 1024 * 1024;
const headersKept = ['content-type', 'etag', 'cache-control', 'vary', 'link', 'x-total-count'];

interface Kept {
  /** What it was made from. */
  state: string;
  /** As it is sent: making bytes of text again costs more than all the rest. */
  payload: Buffer;
  headers: Record<string, string>;
}

/** Prepares requests for keeping and finding answers. */
export function installKeptAnswers(app: FastifyInstance): void {
  app.decorateRequest('kept', false);
  app.decorateRequest('keep', null);
}

/**
 * Finished answers of GETs, by caller and address, each valid while nothing is written and no setting changes. A
 * caller gets only what was made for them: what they may see is part of what the database says.
 */
export class KeptAnswers {
  readonly #services: Services;
  readonly #answers = new Map<string, Kept>();
  #size = 0;
  constructor(services: Services) {
    this.#services = services;
  }

  /** The answer to a request, if it was made before and holds still; else makes sure that it is kept when it is made. */
  find(endpoint: Endpoint, request: FastifyRequest, viewer: Viewer, baseUrl: string): Kept | undefined {
    if (endpoint.lasts === undefined || !mayBeKept(request)) return undefined;
    const key = `${viewer.userid} ${viewer.impersonator ?? ''} ${baseUrl}${request.url}`;
    const state = this.#state(endpoint);
    const known = this.#answers.get(key);
    if (known?.state === state) return known;
    request.keep = (payload, reply) => {
      // Written meanwhile: parts of the answer may be older than others.
      if (this.#state(endpoint) === state) {
        this.#keep(key, { state, payload: Buffer.from(payload), headers: headersOf(reply) });
      }
    };
    return undefined;
  }

  #state(endpoint: Endpoint): string {
    const { storage, site, now } = this.#services;
    const second = endpoint.lasts === 'one-second' ? Math.floor(now() / 1000) : '';
    return `${storage.version()} ${second} ${JSON.stringify(site)}`;
  }

  #keep(key: string, answer: Kept): void {
    this.#drop(key);
    this.#answers.set(key, answer);
    this.#size += answer.payload.length;
    while (this.#size > mostKept) this.#drop(this.#answers.keys().next().value ?? '');
  }

  #drop(key: string): void {
    this.#size -= this.#answers.get(key)?.payload.length ?? 0;
    this.#answers.delete(key);
  }
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
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, headers }: Kept,
): FastifyReply {
  request.kept = true;
  reply.headers(headers);
  if (!namesTag(request.headers['if-none-match'], headers['etag'] ?? '')) return reply.send(payload);
  return reply.status(304).removeHeader('content-type').send('');
}
