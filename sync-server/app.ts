import type { AddressInfo } from 'node:net';

import cors from '@fastify/cors';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';

import { openApiDocument } from '#shared/api/openapi/document.ts';
import { Problem } from '#shared/api/problem.ts';

import { guardAudit } from './audit/guard.ts';
import { serveApp } from './http/app-files.ts';
import { installBodyParser, installPretty } from './http/body.ts';
import { checkAnswers, checkReplays } from './http/check-answers.ts';
import type { Services } from './http/context.ts';
import { mountDocument } from './http/document.ts';
import { answerBadAddress, answerClientError, installErrors, installNotFound } from './http/errors.ts';
import { installEtag } from './http/etag.ts';
import { mountFlagIcons, mountIcons } from './http/icons.ts';
import { installKeptAnswers } from './http/kept-answers.ts';
import { mountResources } from './http/mount.ts';
import { mountPostPages } from './http/post-pages.ts';
import { installRateLimit } from './http/rate-limit.ts';
import { installRequestLog } from './http/request-log.ts';
import { contractUrl, takeMeantVerb } from './http/spellings.ts';
import { CollectionKeeper } from './jobs/archive-make/keeper.ts';
import { jobKinds } from './jobs/kinds.ts';
import { pruneDaily } from './jobs/prune.ts';
import { publishMeritsRegularly } from './jobs/publish-merits.ts';
import { publishTraining } from './jobs/publish-training.ts';
import { adoptCommands, JobRunner } from './jobs/runner.ts';
import { drawPicture } from './media/drawings.ts';
import { mountMedia } from './media/routes.ts';
import { represent } from './resources/represent.ts';
import { resources } from './resources/index.ts';
import { indexRegularly } from './resources/search/indexing.ts';
import { openServices, type ServiceOptions } from './services.ts';
import { publishSiteAtStart, watchOtherProcesses } from './site.ts';
import { historyId } from './sync/feed-reader.ts';
import { mountSync } from './sync/routes.ts';
import { buildPlayer } from './training/player/app.ts';
import { Courier } from './webhooks/courier.ts';

export interface ServerOptions extends ServiceOptions {
  tls?: { cert: Buffer; key: Buffer };
  /** Folder of the built app, served at the root; none: API only. */
  appDir?: string;
  /** Told of answers that break their contract; checking them costs time, so that only tests ask for it. */
  onBrokenAnswer?: (flaw: string) => void;
}

/** The server with its services; `close()` of the app ends everything in order. */
export interface Server {
  app: FastifyInstance;
  services: Services;
  jobs: JobRunner;
  collection: CollectionKeeper;
  /** The player of training modules; it listens on a port, and so on an origin, of its own (`listenForModules`). */
  player: FastifyInstance;
}

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
];

/** Builds the server on a data folder. Nothing listens yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const services = await openServices(options);
  const { log } = services;
  const stopGuarding = await guardAudit(services);
  await publishSiteAtStart(services);
  const stopPruning = await pruneDaily(services);
  const stopPublishing = await publishMeritsRegularly(services);
  const stopIndexing = indexRegularly(services);
  await publishTraining(services);
  const stopWatching = watchOtherProcesses(services);
  const courier = new Courier(services);
  courier.wake();
  await services.training.files.sweep(services.storage.reader);
  await services.archives.clear();
  await adoptCommands(services);
  const jobs = new JobRunner(services, jobKinds);
  await jobs.start();
  const collection = new CollectionKeeper(services);
  services.wantCollection = (origin) => collection.want(origin);
  await collection.start();
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: (request) =>
      soundRequestId(request.headers['x-request-id']) ??
      Buffer.from(services.randomBytes(9)).toString('base64url'),
    rewriteUrl: (request) => {
      takeMeantVerb(request);
      return contractUrl(request.url ?? '/');
    },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1000 },
    ...(options.tls === undefined ? {} : { https: options.tls }),
  });
  installErrors(app);
  installBodyParser(app);
  installPretty(app);
  installKeptAnswers(app);
  installEtag(app);
  installRequestLog(app);
  const { onBrokenAnswer } = options;
  if (onBrokenAnswer !== undefined) checkAnswers(app, onBrokenAnswer);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders,
    exposedHeaders,
    maxAge: 86_400,
  });
  await installRateLimit(app, services);
  const checkReplay = onBrokenAnswer === undefined ? undefined : checkReplays(onBrokenAnswer);
  mountResources(app, resources, services, represent, checkReplay);
  mountMedia(app, services, drawPicture);
  mountIcons(app);
  mountFlagIcons(app);
  mountPostPages(app);
  mountSync(app, services);
  if (options.appDir !== undefined) await serveApp(app, options.appDir);
  mountDocument(app, () => openApiDocument(resources.map(({ table }) => table)));
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => ready(services));
  installNotFound(
    app,
    resources.flatMap(({ table }) => Object.values(table)),
  );
  app.addHook('onListen', async () => {
    services.listensAt = originOf(app.server.address(), options.tls === undefined ? 'http' : 'https');
  });
  app.addHook('preClose', async () => {
    stopPruning();
    stopPublishing();
    stopWatching();
    services.bus.close();
  });
  const player = buildPlayer(
    { ...services, acting: { name: 'Player', action: 'play a training module' } },
    options.tls,
  );
  app.addHook('onClose', async () => {
    await player.close();
    await courier.stop();
    await collection.stop();
    await jobs.stop();
    await services.mailer.idle();
    await stopIndexing();
    await stopGuarding();
    await services.storage[Symbol.asyncDispose]();
  });
  return { app: app as FastifyInstance, services, jobs, collection, player };
}

/** Has the player of training modules listen, and links lead there. */
export async function listenForModules(
  { player, services }: Pick<Server, 'player' | 'services'>,
  at: { host: string; port: number },
): Promise<void> {
  await player.listen(at);
  const { port } = player.server.address() as AddressInfo;
  services.training.listensOn(port);
}

/** Where people of this machine find the server; one that listens on every address is found at `localhost`. */
function originOf(address: string | AddressInfo | null, scheme: 'http' | 'https'): string | null {
  if (address === null || typeof address === 'string') return null;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const named = ['[::]', '0.0.0.0'].includes(host) ? 'localhost' : host;
  return `${scheme}://${named}:${address.port}`;
}

/** The caller's own name for a request, so that its log and ours can be laid side by side; nothing odd enters the log. */
function soundRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{4,64}$/.test(header) ? header : undefined;
}

async function ready(services: Services): Promise<{ status: 'ready' }> {
  try {
    await historyId(services.storage.reader);
  } catch (cause) {
    throw new Problem('unavailable', 'The database cannot be read', { cause });
  }
  return { status: 'ready' };
}
