import type { FastifyInstance } from 'fastify';

import type { Services } from '../core/services.ts';

/**
 * Dates every answer by the server's clock as it leaves: devices read the header to learn how far their own clock is off.
 * Node would take the machine's.
 */
export function installDate(app: FastifyInstance, services: Pick<Services, 'now'>): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('Date', httpDate(services));
    done(null, payload);
  });
}

/** The server's time as `Date` says it. */
export function httpDate({ now }: Pick<Services, 'now'>): string {
  return new Date(now()).toUTCString();
}
