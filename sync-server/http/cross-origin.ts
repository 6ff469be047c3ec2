import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { isLoopback } from '#shared/sync/identity.ts';

import type { Services } from '../core/services.ts';

/** A value of `cors_origins`: pages of every origin may read what needs no sign-in. */
export const anyOrigin = 'any';

/** The window of the desktop app. No page of the web has this origin. */
const desktopApp = 'benchbook://app';

/** Request headers that browsers may send, and answer headers that they may read. */
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Range',
  'X-App-Id',
  'X-Request-Id',
  'X-CSRF',
  'X-Recorded-For',
  'X-Recorded-At',
  'X-ALLOW-HTTP',
  'X-HTTP-Method-Override',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
];
const exposedHeaders = [
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Link',
  'X-Total-Count',
  'Idempotency-Replayed',
  'X-Request-Id',
  'Content-Range',
  'Accept-Ranges',
  'Date',
  'Location',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
].join(', ');
const maxAge = 86_400;

/** For pages of listed origins. */
const forListed: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders,
  exposedHeaders,
  maxAge,
};
/** For pages of all other origins, if the site lists `any`. */
const forReaders: FastifyCorsOptions = {
  ...forListed,
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: allowedHeaders.filter((name) => name !== 'Authorization'),
};
const refused: FastifyCorsOptions = { origin: false };

/** Maximum number of refused origins that are logged: callers can invent any number of them. */
const mostLogged = 100;

/**
 * Decides which pages of other origins may read responses. The API uses no cookies, so a page cannot act as a person
 * without their token. But a web page that is opened inside a network could read a server there that requires no
 * sign-in.
 *
 * - ORIGIN-1 A page of another origin can read nothing unless the site lists its origin in `cors_origins` (none by
 *   default). Programs other than browsers are not affected.
 * - ORIGIN-2 The desktop app can always read, and so can pages of the server itself under its other names: `--origin`,
 *   the site's address, `localhost` and `127.0.0.1`.
 * - ORIGIN-3 If the list contains `any`, pages of every origin can read (GET, HEAD) what needs no sign-in, and nothing
 *   else: no response to a request with a token, and no response to a sign-in.
 * - ORIGIN-4 Caches are told that responses differ by origin (`Vary`).
 * - ORIGIN-5 The log names each refused origin once, so that an administrator knows what to list.
 * - ORIGIN-7 A page of another origin cannot load responses of the API as pictures or scripts.
 * - HTTP-13 A page of a listed origin may read responses.
 * - INPUT-11 Pages of listed origins may call the API, without credentials of the browser.
 * - LIST-10 A page of a listed origin may send `X-CSRF` and `X-ALLOW-HTTP`, and read the response headers that it
 *   needs.
 */
export async function installCrossOrigin(app: FastifyInstance, services: Services): Promise<void> {
  const logged = new Set<string>();
  await app.register(
    cors,
    () => (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const { origin } = request.headers;
      if (origin === undefined || isOwnPage(origin, request)) return done(null, refused);
      // OPTIONS without it is no preflight, and is answered like any other request (HTTP-21).
      const preflight = request.headers['access-control-request-method'] !== undefined;
      if (isListed(origin, services)) return done(null, { ...forListed, origin, preflight });
      if (services.site.cors_origins.includes(anyOrigin) && isAnonymousRead(request))
        return done(null, { ...forReaders, preflight });
      if (!logged.has(origin) && logged.size < mostLogged) {
        logged.add(origin);
        services.log.warn(
          { origin },
          'A page of another origin may not read from this server; the setting cors_origins lists those that may',
        );
      }
      done(null, refused);
    },
  );
  app.addHook('onRequest', (request, reply, done) => {
    // Other pages cannot load a response as a script or picture either, nor have its type guessed.
    if (isApi(request)) {
      reply.header('Cross-Origin-Resource-Policy', 'same-origin');
      reply.header('X-Content-Type-Options', 'nosniff');
    }
    done(isMisdirected(request, services) ? misdirected() : undefined);
  });
}

/** Whether the page came from this server, by the name that the request used. */
function isOwnPage(origin: string, { host }: FastifyRequest): boolean {
  return URL.parse(origin)?.host === host;
}

function isListed(origin: string, { site, origins, listensAt }: Services): boolean {
  if (origin === desktopApp || site.cors_origins.includes(origin) || origins().includes(origin)) return true;
  // The same server: `localhost` in one place, `127.0.0.1` in the other.
  const [page, own] = [URL.parse(origin), URL.parse(listensAt ?? '')];
  if (page === null || own === null || page.port !== own.port || page.protocol !== own.protocol) return false;
  return isLoopback(origin) && isLoopback(own.origin);
}

function isAnonymousRead({ method, headers }: FastifyRequest): boolean {
  const isReading = (verb: string | undefined): boolean => verb === 'GET' || verb === 'HEAD';
  if (method !== 'OPTIONS') return isReading(method) && headers.authorization === undefined;
  const sent = (headers['access-control-request-headers'] ?? '').toLowerCase().split(/[\s,]+/);
  return isReading(headers['access-control-request-method']) && !sent.includes('authorization');
}

const apiPaths = ['/api/', '/sync/', '/omanual'];
/** Pages that show content of the API. */
const pagesOfApi = ['/Story/', '/News/'];
/** Devices request it at any address before they send a token (IDENTITY-3). */
const identityPath = '/sync/1/identity';

/** Whether a request is for the API, judged by its route, because its address may be escaped. */
export function isApi(request: FastifyRequest): boolean {
  const route = routeOf(request);
  return apiPaths.some((path) => route.startsWith(path));
}

/** The route of a request; if none matched, its address. */
function routeOf({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? url;
}

/**
 * Protects against DNS rebinding: a page whose own host name was made to resolve to this server has the same origin
 * for its browser.
 *
 * - ORIGIN-6 If the site has a name (its address, or `--origin`), callers of the API and of archives without a token
 *   must use one of its names; otherwise the answer is 401, however the path is escaped. An IP address and a name
 *   without a dot are not public names, and are always accepted. A page whose own name was made to resolve to this
 *   server therefore reads nothing. Behind a trusted proxy both `Host` and `X-Forwarded-Host` are checked, because a
 *   page can send the latter to its own origin. This helps only if the proxy passes `Host` on, or overwrites or
 *   extends `X-Forwarded-Host`: a proxy that does neither hides the name of the page. A proxy that calls the server by
 *   a public name (`bench.internal.example.org`) needs that name in `--origin`. With a token, devices can continue at
 *   addresses that they used before.
 */
function isMisdirected(request: FastifyRequest, { origins }: Services): boolean {
  const route = routeOf(request);
  const isShown = isApi(request) || pagesOfApi.some((path) => route.startsWith(path));
  if (!isShown || request.headers.authorization !== undefined || route === identityPath) return false;
  const asked = hostnamesOf(request).filter(canBeOfTheWeb);
  const named = origins().flatMap((origin) => URL.parse(origin)?.hostname ?? []);
  return named.some(canBeOfTheWeb) && asked.some((one) => !named.includes(one));
}

/**
 * The host names of a request: `Host`, and what a trusted proxy adds. A page can send `X-Forwarded-Host` to its own
 * origin, and some proxies pass it on, so both are checked.
 */
function hostnamesOf({ headers, hostname }: FastifyRequest): string[] {
  const host = headers.host ?? '';
  const own = URL.parse(`http://${host}`)?.hostname ?? host;
  return [own, hostname].map((one) => one.toLowerCase());
}

/** Whether a web page can have this host name. */
function canBeOfTheWeb(hostname: string): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return hostname.includes('.') && !isAddress && !hostname.endsWith('.localhost');
}

function misdirected(): Problem {
  return new Problem(
    'unauthorized',
    'This server is not reached under this name. An administrator names it with --origin',
  );
}
