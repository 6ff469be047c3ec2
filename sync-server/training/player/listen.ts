import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { Connections } from '#server/http/connections.ts';
import { patience, type Limits } from '#server/http/limits.ts';
import { isOneOf } from '#server/http/proxies.ts';
import { answerClientError } from '#server/http/raw-refusals.ts';
import { watchBodies } from '#server/http/slow-bodies.ts';

interface ListenOptions {
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** Proxies (CIDR or address) that stand for many people. */
  trustProxy?: readonly string[] | undefined;
  limits: Limits;
}

/** Has the player listen on one port more; answers the port. It listens until the player is closed. */
export function portsOf(
  player: FastifyInstance,
  { tls, trustProxy = [], limits }: ListenOptions,
): (host: string, port: number) => Promise<number> {
  const servers = new Set<Server>();
  const connections = new Connections(limits, isOneOf(trustProxy));
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
    connections.watch(server, tls === undefined);
    watchBodies(server, limits);
    server.on('clientError', answerClientError);
    server.listen({ host, port });
    await once(server, 'listening');
    servers.add(server);
    return (server.address() as AddressInfo).port;
  };
}
