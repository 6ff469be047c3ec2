import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

import type { Services } from '../core/services.ts';

/** The trusted proxies, as the framework expects them. */
export function proxies(networks: readonly string[] = []): { trustProxy?: string[] } {
  return networks.length === 0 ? {} : { trustProxy: [...networks] };
}

/** Whether an address lies in one of the networks. */
export function isOneOf(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map((text): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const one = ipaddr.parse(text);
    return [one, one.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const ip = ipaddr.process(address);
    return parsed.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
  };
}

/**
 * Logs an untrusted proxy once: all clients behind it share the limits of one address, and the administrator would not
 * know why.
 */
export function warnOfProxies(
  app: FastifyInstance,
  { log }: Pick<Services, 'log'>,
  isTrusted: (address: string) => boolean,
): void {
  let isTold = false;
  app.addHook('onRequest', ({ headers, socket }, _reply, done) => {
    if (!isTold && headers['x-forwarded-for'] !== undefined && !isTrusted(socket.remoteAddress ?? '')) {
      isTold = true;
      log.warn(
        { proxy: socket.remoteAddress },
        'A proxy names other addresses, and is not believed: all its callers count as one. --trust-proxy names proxies to believe',
      );
    }
    done();
  });
}
