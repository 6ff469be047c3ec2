import type { FastifyInstance } from 'fastify';

import type { Services } from '../core/services.ts';

/**
 * Sets `Date` from the server's clock. Node would use the clock of the machine. Devices read the header to correct
 * their own clock.
 *
 * - LIST-12 Every response has the time of the server's clock in `Date`, including streams and refusals.
 */
export function installDate(app: FastifyInstance, services: Pick<Services, 'now'>): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('Date', httpDate(services));
    done(null, payload);
  });
}

/** The server's time in the format of `Date`. */
export function httpDate({ now }: Pick<Services, 'now'>): string {
  return new Date(now()).toUTCString();
}
