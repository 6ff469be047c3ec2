import { hash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

/**
 * Adds an ETag of its content to the response of every GET of the contract. The tag of a versioned record begins with
 * its revision, so that clients can send it in `If-Match`.
 *
 * - LIST-4 A response that the client already has (`If-None-Match`) is 304 without a body, and 200 after a change.
 * - INPUT-8 The response of a GET has an ETag, and is not sent again to a client that has it.
 * - INPUT-9 Caches must not store the record that contains the token, or the answer of a call that is marked `unstored`
 *   (`no-store`).
 */
export function installEtag(app: FastifyInstance): void {
  app.decorateRequest('revisionid', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.isCached) return done(null, payload);
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload);
    const etag = etagOf(payload, request.revisionid);
    // The caller's own record contains the token; caches must not store it.
    const cache = endpoint.path === '/user' ? 'no-store' : 'private, no-cache';
    reply.headers({ ETag: etag, 'Cache-Control': cache, Vary: 'Authorization, Origin' });
    request.cacheResponse?.(payload, reply);
    if (!namesTag(request.headers['if-none-match'], etag)) return done(null, payload);
    reply.status(304).removeHeader('content-length').removeHeader('content-type');
    return done(null, '');
  });
}

/** The ETag of a response body; for a versioned record it begins with the revision. */
export function etagOf(payload: string, revisionid: number | null): string {
  const digest = hash('sha256', payload, 'base64url').slice(0, 22);
  return `W/"${revisionid === null ? '' : `${revisionid}-`}${digest}"`;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Revision of the record in the response of a GET, if it has one. */
    revisionid: number | null;
  }
}

/** The `revisionid` of a response body. */
export function revisionOf(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('revisionid' in body)) return null;
  return typeof body.revisionid === 'number' ? body.revisionid : null;
}

/** Whether a header such as `If-None-Match` contains this tag (weak comparison, RFC 9110 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (
    header !== undefined && header.split(',').some((tag) => bare(tag) === '*' || bare(tag) === bare(etag))
  );
}
