import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who was found to be calling, for the log; 0 is nobody. */
    userid: number;
    /** The administrator who acts as that person; 0 is nobody. */
    impersonator: number;
  }
}

/**
 * One line per request: method, route pattern, status, time, person. Neither the address with its query nor bodies
 * or headers, because they hold names, texts and credentials.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.decorateRequest('userid', 0);
  app.decorateRequest('impersonator', 0);
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
