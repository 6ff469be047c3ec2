import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Services } from '#server/core/services.ts';
import { authenticate } from '#server/core/sessions.ts';
import type { Viewer } from '#server/core/viewer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's userid, for the log; 0: anonymous. */
    userid: number;
    /** The administrator who acts as that person; 0: none. */
    impersonator: number;
    /** Version of the database when the request arrived; null until somebody asks. */
    arrivedAt: number | null;
  }
}

/**
 * Logs one line per request: method, route pattern, status, time, person. Addresses, queries, bodies and headers are
 * not logged, because they contain names, texts and credentials.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.decorateRequest('userid', 0);
  app.decorateRequest('impersonator', 0);
  app.decorateRequest('arrivedAt', null);
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.raw.statusCode,
        ms: Math.round(reply.elapsedTime),
        userid: request.userid,
        ...(request.impersonator === 0 ? {} : { impersonator: request.impersonator }),
      },
      'request',
    );
    done();
  });
}

/** The viewer of a request, by its `Authorization` header. Sets the caller for the log. @throws Problem 401 */
export async function viewerOfRequest(request: FastifyRequest, services: Services): Promise<Viewer> {
  const version = isWithoutBody(request) ? versionFor(request, services) : services.storage.version();
  const viewer = await authenticate(request.headers.authorization, services, version);
  nameCaller(request, viewer);
  return viewer;
}

/** Sets the caller for the log. */
export function nameCaller(request: FastifyRequest, { userid, impersonator }: Viewer): void {
  request.userid = userid;
  if (impersonator !== undefined) request.impersonator = impersonator;
}

/**
 * The version of the database when a request arrived. It is asked for once, because asking takes longer than reading a
 * row.
 */
export function versionFor(request: FastifyRequest, { storage }: Services): number {
  request.arrivedAt ??= storage.version();
  return request.arrivedAt;
}

/** Whether a request is handled as soon as it arrives. The body of another one may take minutes. */
function isWithoutBody({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
