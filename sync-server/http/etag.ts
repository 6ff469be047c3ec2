import { hash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

/**
 * Tags the answer of every GET of the contract with its content, and answers 304 to whoever has it already. The tag
 * of a versioned record begins with its revision, so that it may come back in `If-Match`.
 */
export function installEtag(app: FastifyInstance): void {
  app.decorateRequest('revisionid', null);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.kept) return done(null, payload);
    const { endpoint } = request.routeOptions.config;
    if (endpoint?.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload);
    const etag = etagOf(payload, request.revisionid);
    // The caller's own record holds the token; no cache on disk may keep it.
    const cache = endpoint.path === '/user' ? 'no-store' : 'private, no-cache';
    reply.headers({ ETag: etag, 'Cache-Control': cache, Vary: 'Authorization, Origin' });
    request.keep?.(payload, reply);
    if (!namesTag(request.headers['if-none-match'], etag)) return done(null, payload);
    reply.status(304).removeHeader('content-length').removeHeader('content-type');
    return done(null, '');
  });
}

/** The tag of an answer; that of a versioned record begins with its revision. */
export function etagOf(payload: string, revisionid: number | null): string {
  const digest = hash('sha256', payload, 'base64url').slice(0, 22);
  return `W/"${revisionid === null ? '' : `${revisionid}-`}${digest}"`;
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
