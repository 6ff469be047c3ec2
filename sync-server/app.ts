import type { AddressInfo } from 'node:net';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';

import { openApiDocument } from '#shared/api/openapi/document.ts';
import { must } from '#shared/must.ts';

import type { Guard } from './features/audit/guard.ts';
import type { HeadSender } from './features/audit/head-sender.ts';
import { startBackground } from './background.ts';
import { serveApp } from './http/app-files.ts';
import { installBodyParser, installPretty } from './http/body.ts';
import { checkAnswers, checkReplays } from './http/check-answers.ts';
import { Connections } from './http/connections.ts';
import type { Services } from './core/services.ts';
import { installDate } from './http/date-header.ts';
import { installCrossOrigin } from './http/cross-origin.ts';
import { mountDocument } from './http/document.ts';
import { answerBadAddress, installErrors, installNotFound } from './http/errors.ts';
import { installEtag } from './http/etag.ts';
import { mountFlagIcons, mountIcons } from './features/media/icons.ts';
import { installResponseCache } from './http/response-cache.ts';
import { defaultLimits, patience, type Limits } from './http/limits.ts';
import { installMetrics } from './http/metrics.ts';
import { mountResources } from './http/mount.ts';
import { mountPostPages } from './http/post-pages.ts';
import { isOneOf, proxies, warnOfProxies } from './http/proxies.ts';
import { CallerLimits, installRateLimit } from './http/rate-limit.ts';
import { answerClientError } from './http/raw-refusals.ts';
import { installRequestLog } from './http/request-viewer.ts';
import { closeUnreadBodies, continueWhereRead } from './http/slow-bodies.ts';
import { contractUrl, overrideMethod } from './http/request-compat.ts';
import { mountIdentity, refuseForOthers } from './sync/identity.ts';
import type { CollectionKeeper } from './features/omanual/make/keeper.ts';
import type { JobRunner } from './jobs/runner.ts';
import { drawPicture } from './demo-content/drawings.ts';
import { mountDesktopUpdates } from './features/desktop-updates/routes.ts';
import { mountMedia } from './features/media/routes.ts';
import { resources } from './features/index.ts';
import { gaugesOf } from './metrics.ts';
import { readinessOf } from './readiness.ts';
import { openServices, type ServiceOptions } from './features/open-services.ts';
import type { PackKeeper, PackOptions } from './sync/packs/pack-keeper.ts';
import { mountSync } from './sync/routes.ts';
import { HostOrigins, PortOrigins, type ModulePorts } from './features/training/origins.ts';
import { buildPlayer } from './features/training/player/app.ts';
import { mountFramePage } from './features/training/player/frame-page.ts';
import { portsOf } from './features/training/player/listen.ts';
import { openModules } from './features/training/player/sessions.ts';
import { mountUploads } from './sync/uploads.ts';

export interface ServerOptions extends ServiceOptions {
  tls?: { cert: Buffer; key: Buffer };
  /** Folder of the built app, served at the root; none: API only. */
  appDir?: string;
  /** Called for responses that violate their contract. For tests only, because checking takes time. */
  onBrokenAnswer?: (flaw: string) => void;
  /** Networks (CIDR) of trusted proxies: their forwarding headers are trusted. */
  trustProxy?: readonly string[];
  /** With it programs of other machines may read `/metrics`. */
  metricsToken?: string;
  /** Limits of callers, for tests. */
  limits?: Partial<Limits>;
  /** How packs are made, for tests. */
  packs?: PackOptions;
}

/** The server with its services. `app.close()` ends everything in order. */
export interface Server {
  app: FastifyInstance;
  services: Services;
  jobs: JobRunner;
  collection: CollectionKeeper;
  packs: PackKeeper;
  /** Reports the head of the audit log to its targets. */
  heads: HeadSender;
  /** Stores the head of the audit log outside of the database. */
  guard: Guard;
  /** The player of training modules. Each module is played at an origin of its own (`listenForModules`). */
  player: FastifyInstance;
  /** Makes the player listen on a port; returns the port. */
  playerListens: (host: string, port: number) => Promise<number>;
}

/** Builds the server on a data folder. It does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const services = await openServices(options);
  // Before the server listens, so that the administrator sees a problem with the key, and not the devices.
  await services.identity.key();
  const background = await startBackground(services, options.dataDir, options.packs);
  const { jobs, collection, packs, heads, guard, quiet, end } = background;
  const limits = { ...defaultLimits, ...options.limits };
  const callers = callerLimits(services, options, limits);
  const app = httpApp(services, options, limits);
  await installPlugins(app, services, options, callers);
  await mountAll(app, services, options, limits);
  const player = buildPlayer(
    { ...services, acting: { name: 'Player', action: 'play a training module' } },
    callers,
    options.trustProxy,
  );
  const playerListens = portsOf(player, callers, options.tls);
  app.addHook('onListen', async () => {
    services.listensAt = originOf(app.server.address(), options.tls === undefined ? 'http' : 'https');
  });
  app.addHook('preClose', async () => {
    quiet();
    services.bus.close();
  });
  app.addHook('onClose', async () => {
    await player.close();
    await end();
    await services.scoring[Symbol.asyncDispose]();
    await services.verification[Symbol.asyncDispose]();
    await services.archiveReading[Symbol.asyncDispose]();
    await services.storage[Symbol.asyncDispose]();
  });
  return { app, services, jobs, collection, packs, heads, guard, player, playerListens };
}

/** The limits per caller, shared by the app and the module player. */
function callerLimits(services: Services, { trustProxy = [] }: ServerOptions, limits: Limits): CallerLimits {
  return new CallerLimits({
    services,
    limits,
    connections: new Connections(limits, isOneOf(trustProxy)),
  });
}

/**
 * The Fastify app without routes.
 *
 * - HTTP-4 A path is found with a trailing slash too.
 */
function httpApp(services: Services, { tls, trustProxy }: ServerOptions, limits: Limits): FastifyInstance {
  const { log, randomBytes } = services;
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    // Without an options argument: pino would check all possible options, even of an empty object.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    connectionTimeout: limits.idleMs,
    ...(tls === undefined ? { http: patience(limits) } : {}),
    ...proxies(trustProxy),
    return503OnClosing: false,
    genReqId: (request) =>
      validRequestId(request.headers['x-request-id']) ?? Buffer.from(randomBytes(9)).toString('base64url'),
    rewriteUrl: (request) => {
      overrideMethod(request);
      return contractUrl(request.url ?? '/');
    },
    frameworkErrors: answerBadAddress(services),
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    ...(tls === undefined
      ? {}
      : { https: { ...tls, ...patience(limits), handshakeTimeout: limits.headersMs } }),
  });
  return app as FastifyInstance;
}

/**
 * Installs what all routes have in common: errors, bodies, ETags, log, limits, other origins.
 *
 * - INPUT-12 Every response has its own request id.
 */
async function installPlugins(
  app: FastifyInstance,
  services: Services,
  { dataDir, onBrokenAnswer, trustProxy = [], tls, metricsToken }: ServerOptions,
  callers: CallerLimits,
): Promise<void> {
  callers.watch(app.server, tls === undefined);
  closeUnreadBodies(app);
  continueWhereRead(app);
  installDate(app, services);
  installErrors(app, services);
  installBodyParser(app, callers.limits);
  installPretty(app);
  installResponseCache(app);
  installEtag(app);
  installRequestLog(app);
  installMetrics(app, gaugesOf(services, dataDir), metricsToken);
  if (onBrokenAnswer !== undefined) checkAnswers(app, onBrokenAnswer);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  await installCrossOrigin(app, services);
  // Before anything asks for the caller, or for the version of the database.
  seeOtherNodes(app, services);
  warnOfProxies(app, services, isOneOf(trustProxy));
  installRateLimit(app, services, callers);
  refuseForOthers(app, services);
}

/**
 * Lets every request see what other nodes committed before it arrived.
 *
 * - POSTGRES-6 No answer is older than what the same client was told before, whichever node answers.
 */
function seeOtherNodes(app: FastifyInstance, { storage: { refresh } }: Services): void {
  if (refresh === undefined) return;
  app.addHook('onRequest', async ({ routeOptions }) => {
    // A node is alive while the database is not.
    if (routeOptions.url !== alivePath) await refresh();
  });
}

const alivePath = '/healthz';

async function mountAll(
  app: FastifyInstance,
  services: Services,
  { onBrokenAnswer, appDir, dataDir }: ServerOptions,
  limits: Limits,
): Promise<void> {
  const checkReplay = onBrokenAnswer === undefined ? undefined : checkReplays(onBrokenAnswer);
  await mountResources(app, resources, services, checkReplay);
  mountMedia(app, services, drawPicture);
  mountIcons(app);
  mountFlagIcons(app);
  mountDesktopUpdates(app, dataDir);
  mountPostPages(app, services);
  mountSync(app, services, limits);
  mountIdentity(app, services);
  mountFramePage(app, services);
  await mountUploads(app, services);
  if (appDir !== undefined) await serveApp(app, appDir);
  mountDocument(app, () => openApiDocument(resources.map(({ table }) => table)));
  app.get(alivePath, async () => ({ status: 'ok' }));
  const mustBeReady = readinessOf(services, dataDir);
  app.get('/readyz', async () => {
    await mustBeReady();
    return { status: 'ready' };
  });
  installNotFound(
    app,
    resources.flatMap(({ table }) => Object.values(table)),
  );
}

/** Where modules are played: each at a host name of its own on one port, or each at a port of its own. */
export type ModuleOrigins = { origin: string; port: number } | { ports: ModulePorts };

/**
 * Starts playing modules, including those that were open when the server stopped. Throws if the port is not available.
 */
export async function listenForModules(
  { services, playerListens }: Pick<Server, 'services' | 'playerListens'>,
  host: string,
  places: ModuleOrigins,
): Promise<void> {
  const app = { named: services.namedOrigins, listensAt: () => services.listensAt };
  if ('origin' in places) {
    await playerListens(host, places.port);
    services.training.playsAt(new HostOrigins(places.origin, app));
    return;
  }
  const origins = new PortOrigins(places.ports, app, (port) => playerListens(host, port));
  services.training.playsAt(origins);
  for (const moduleid of await openModules(services))
    await origins
      .open(moduleid, must(services.listensAt, 'an address'))
      .catch((err: unknown) => services.log.error({ err, moduleid }, 'an open module cannot go on'));
}

/** The origin at which the server is reached from its own machine; `localhost` if it listens on every address. */
function originOf(address: string | AddressInfo | null, scheme: 'http' | 'https'): string | null {
  if (address === null || typeof address === 'string') return null;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const named = ['[::]', '0.0.0.0'].includes(host) ? 'localhost' : host;
  return `${scheme}://${named}:${address.port}`;
}

/**
 * The request id of the caller, if it is valid.
 *
 * - LIST-6 A request id is returned as the caller sent it, and is logged, so that the logs of both sides can be
 *   compared.
 * - LIST-7 An invalid request id is replaced by one of the server, which is never the same twice.
 */
function validRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{4,64}$/.test(header) ? header : undefined;
}
