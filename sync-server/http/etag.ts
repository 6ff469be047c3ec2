import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

/**
 * Tags the answer of every GET of the contract with its content, and answers 304 to whoever has it already. The tag
 * of a versioned record begins with its revision, so that it may come back in `If-Match`.
 */
export function installEtag(app: FastifyInstance): void {
  app.decorateRequest('revisionid', null);
  app.addHook('onSend', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (request.kept) return payload;
    if (endpoint?.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const etag = etagOf(payload, request.revisionid);
    // The caller's own record holds the token; no cache on disk may keep it.
    const cache = endpoint.path === '/user' ? 'no-store' : 'private, no-cache';
    reply.headers({ ETag: etag, 'Cache-Control': cache, Vary: 'Authorization' });
    request.keep?.(payload, reply);
    if (!namesTag(request.headers['if-none-match'], etag)) return payload;
    reply.status(304).removeHeader('content-length').removeHeader('content-type');
    return '';
  });
}

/** The tag of an answer; that of a versioned record begins with its revision. */
export function etagOf(payload: string, revisionid: number | null): string {
  const hash = createHash('sha256').update(payload).digest('base64url').slice(0, 22);
  return `W/"${revisionid === null ? '' : `${revisionid}-`}${hash}"`;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Revision of the record that a GET answers with, if it has one. */
    revisionid: number | null;
  }
}

/** The `revisionid` of an answer. */
export function revisionOf(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('revisionid' in body)) return null;
  return typeof body.revisionid === 'number' ? body.revisionid : null;
}

/** Whether `If-None-Match`, or the like, names this tag (weak comparison, RFC 9110 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (
    header !== undefined && header.split(',').some((tag) => bare(tag) === '*' || bare(tag) === bare(etag))
  );
}
