/**
 * Trusted reverse proxies, and what requests say about the address that the caller used.
 *
 * - LOAD-11 `X-Forwarded-For`, `-Proto` and `-Host` are trusted only from the proxies that `--trust-proxy` names. Such
 *   a proxy must overwrite or extend all three (it must not pass on what a caller sent), and should pass `Host` on.
 *   The log reports an unlisted proxy once: all clients behind it count as one address.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

import type { Services } from '../core/services.ts';

/** The trusted proxies in the options of the framework. */
export function proxies(networks: readonly string[] = []): { trustProxy?: string[] } {
  return networks.length === 0 ? {} : { trustProxy: [...networks] };
}

/** Returns whether an address is in one of the networks. */
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
 * Logs an untrusted proxy once (LOAD-11), so that the administrator learns why its clients share the limits of one
 * address.
 */
export function warnOfProxies(
  app: FastifyInstance,
  { log }: Pick<Services, 'log'>,
  isTrusted: (address: string) => boolean,
): void {
  let isLogged = false;
  app.addHook('onRequest', ({ headers, socket }, _reply, done) => {
    if (!isLogged && headers['x-forwarded-for'] !== undefined && !isTrusted(socket.remoteAddress ?? '')) {
      isLogged = true;
      log.warn(
        { proxy: socket.remoteAddress },
        'A proxy names other addresses, and is not believed: all its callers count as one. --trust-proxy names proxies to believe',
      );
    }
    done();
  });
}

/**
 * The origin that the caller used, for URLs in the response.
 *
 * - INPUT-3 An invalid Host header does not appear in the URLs of a response, and neither does a scheme other than
 *   http and https, whatever a proxy passes on.
 */
export function baseUrlOf(request: FastifyRequest): string {
  // A proxy may pass on an `X-Forwarded-Proto` that the caller sent.
  const scheme = request.protocol === 'https' ? 'https' : 'http';
  const origin = `${scheme}://${request.host}`;
  if (origin === lastValidOrigin) return origin;
  if (URL.parse(origin)?.origin !== origin.toLowerCase()) return `${scheme}://localhost`;
  lastValidOrigin = origin;
  return origin;
}

/** Cached, because nearly every request has the same origin. */
let lastValidOrigin = '';
