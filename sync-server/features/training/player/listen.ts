import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { patience } from '#server/http/limits.ts';
import type { CallerLimits } from '#server/http/rate-limit.ts';
import { answerClientError } from '#server/http/raw-refusals.ts';

/** Returns a function that makes the player listen on another port until it is closed, and resolves with the port. */
export function portsOf(
  player: FastifyInstance,
  callers: CallerLimits,
  tls: { cert: Buffer; key: Buffer } | undefined,
): (host: string, port: number) => Promise<number> {
  const servers = new Set<Server>();
  const { limits } = callers;
  player.addHook('onClose', async () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
  return async (host, port) => {
    await player.ready();
    const answer: RequestListener = (request, response) => player.routing(request, response);
    const server =
      tls === undefined
        ? createServer(patience(limits), answer)
        : createTlsServer({ ...tls, ...patience(limits) }, answer);
    server.setTimeout(limits.idleMs);
    callers.watch(server, tls === undefined);
    server.on('clientError', answerClientError);
    server.listen({ host, port });
    await once(server, 'listening');
    servers.add(server);
    return (server.address() as AddressInfo).port;
  };
}
