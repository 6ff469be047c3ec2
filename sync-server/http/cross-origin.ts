import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { isLoopback } from '#shared/sync/identity.ts';

import type { Services } from '../core/services.ts';

/** In `cors_origins`: pages of every origin may read what needs no sign-in. */
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

/** For pages of origins that the site lists. */
const forListed: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders,
  exposedHeaders,
  maxAge,
};
/** For all others, where the site lets them read. */
const forReaders: FastifyCorsOptions = {
  ...forListed,
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: allowedHeaders.filter((name) => name !== 'Authorization'),
};
const refused: FastifyCorsOptions = { origin: false };

/** Origins told to the log, so that an administrator learns which one to list; a bound for whoever makes them up. */
const mostTold = 100;

/**
 * Lets browsers show answers to pages of other origins only as the site says (ORIGIN-1 to ORIGIN-5). Without it a page that
 * somebody opens inside a network could read a server there that asks nobody inside to sign in.
 */
export async function installCrossOrigin(app: FastifyInstance, services: Services): Promise<void> {
  const told = new Set<string>();
  await app.register(
    cors,
    () => (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const { origin } = request.headers;
      if (origin === undefined || isOwnPage(origin, request)) return done(null, refused);
      if (isListed(origin, services)) return done(null, { ...forListed, origin });
      if (services.site.cors_origins.includes(anyOrigin) && isAnonymousRead(request))
        return done(null, forReaders);
      if (!told.has(origin) && told.size < mostTold) {
        told.add(origin);
        services.log.warn(
          { origin },
          'A page of another origin may not read from this server; the setting cors_origins lists those that may',
        );
      }
      done(null, refused);
    },
  );
  app.addHook('onRequest', (request, reply, done) => {
    // A page elsewhere cannot take an answer in as a script or picture either, or have it read as another type.
    if (isApi(request)) {
      reply.header('Cross-Origin-Resource-Policy', 'same-origin');
      reply.header('X-Content-Type-Options', 'nosniff');
    }
    done(isMisdirected(request, services) ? misdirected() : undefined);
  });
}

/** The page came from this server, however a proxy before it is called. */
function isOwnPage(origin: string, { host }: FastifyRequest): boolean {
  return URL.parse(origin)?.host === host;
}

function isListed(origin: string, { site, origins, listensAt }: Services): boolean {
  if (origin === desktopApp || site.cors_origins.includes(origin) || origins().includes(origin)) return true;
  // The same server, called `localhost` in one place and `127.0.0.1` in the other.
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
/** Pages that show what anyone may read through the API. */
const pagesOfApi = ['/Story/', '/News/'];
/** A device asks it before it shows a token to anybody, at every address (IDENTITY-3). */
const identityPath = '/sync/1/identity';

/** Whether a request was found to be one of the API, however its address was escaped. */
export function isApi(request: FastifyRequest): boolean {
  const route = routeOf(request);
  return apiPaths.some((path) => route.startsWith(path));
}

/** What was found for an address, however it was escaped; the address itself where nothing was. */
function routeOf({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? url;
}

/**
 * A page whose name was made to lead here (DNS rebinding) is of the same origin to its browser. Where the site has an
 * address, callers without a token must use it, or one that no page of the web can have: an IP address, or a name
 * without a dot. Who has a token may go on at any address.
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

/** Whether somebody in the web can have a host of this name. */
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
