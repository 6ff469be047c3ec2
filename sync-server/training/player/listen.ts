import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { answerClientError } from '#server/http/errors.ts';

/** Has the player listen on one port more; answers the port. It listens until the player is closed. */
export function portsOf(
  player: FastifyInstance,
  tls: { cert: Buffer; key: Buffer } | undefined,
): (host: string, port: number) => Promise<number> {
  const servers = new Set<Server>();
  player.addHook('onClose', async () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
  return async (host, port) => {
    await player.ready();
    const answer: RequestListener = (request, response) => player.routing(request, response);
    const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
    server.on('clientError', answerClientError);
    server.listen({ host, port });
    await once(server, 'listening');
    servers.add(server);
    return (server.address() as AddressInfo).port;
  };
}
