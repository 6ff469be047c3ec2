import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';

import { Problem, notFound, problemFields } from '#shared/api/problem.ts';
import { safe } from '#shared/html.ts';
import { must } from '#shared/must.ts';
import { actingFrom } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { installDate } from '#server/http/date-header.ts';
import { problemOfStorage } from '#server/http/errors.ts';
import { entranceBytes } from '#server/http/limits.ts';
import { proxies } from '#server/http/proxies.ts';
import { stranger, type CallerLimits } from '#server/http/rate-limit.ts';
import { readBody } from '#server/http/read-body.ts';
import { closeUnreadBodies, continueWhereRead, hasBody } from '#server/http/slow-bodies.ts';
import { sendFile } from '#server/http/send-file.ts';
import { typeByName } from '#server/media/file-types.ts';
import { hashToken } from '#server/core/sessions.ts';
import { personHolder, type Caller } from '#server/http/in-flight.ts';
import { textsFor } from '#server/text/texts.ts';

import { untouched } from '../outcome.ts';
import type { TrainingActivity } from '../package.ts';
import { answerHacp } from './hacp.ts';
import { hostOf, originHere, refuseOutside, sessionHere } from './own-origin.ts';
import { basicToken, launchActivity } from './launch.ts';
import { answerProblem, bodyOf, jsonOf, mountLrs, tokenOfCredentials } from './lrs.ts';
import { playerPage, playerScript, playerStyle } from './page.ts';
import { contentPolicy, guardAnswer, pagePolicy } from './policies.ts';
import { statesOf } from './progress.ts';
import { commitScorm } from './scorm.ts';
import { keepSequencing, readSequencingState } from './sequencing.ts';
import { takeFetch, type PlaySession } from './sessions.ts';

/** Largest request body of content (statements, states, commits), bytes. */
const bodyLimit = 1024 * 1024;

/**
 * A server for third-party content, separate from the origin of the app, its storage and its tokens. It listens for
 * each module at the module's own origin (`listen.ts`, `../origins.ts`).
 */
export function buildPlayer(
  services: Services,
  callers: CallerLimits,
  trustProxy: readonly string[] = [],
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = services.log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    return503OnClosing: false,
    bodyLimit,
    ...proxies(trustProxy),
    routerOptions: { maxParamLength: 2000 },
    // Hooks do not run for these errors, but every page of this origin needs its policy.
    frameworkErrors: (_error, _request, reply) => {
      guardAnswer(reply);
      void answerProblem(reply, notFound('Page'));
    },
  });
  app.removeAllContentTypeParsers();
  app.decorateRequest('place', null);
  app.addContentTypeParser('*', (request: FastifyRequest) => readBody(request, callers.limits.entranceMs));
  closeUnreadBodies(app);
  continueWhereRead(app);
  app.addHook('onRequest', async (request, reply) => {
    refuseOutside(request);
    if (asksForSession(request)) callers.enter(request, reply, await learnerOf(services, request));
    // The caller is checked before the body is read.
    if (request.is404 && hasBody(request.raw)) throw notFound('Page');
    const { token } = request.params as Partial<OfSession['Params']>;
    if (token !== undefined && hasBody(request.raw)) await sessionHere(services, request, token);
  });
  app.addHook('onSend', async (_request, reply) => guardAnswer(reply));
  installDate(app, services);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = error instanceof Problem ? error : problemOfStorage(error);
    if (problem !== undefined && error !== problem && problem.kind === 'unavailable')
      request.log.error({ err: error }, 'a request of the player could not be served');
    if (problem !== undefined) return answerProblem(reply, problem);
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'a request of the player failed');
    const message = status >= 500 ? 'The server failed; the request may be sent again' : error.message;
    return reply.status(status).send(problemFields(message, status >= 500 ? 'server-error' : 'invalid'));
  });
  app.setNotFoundHandler((_request, reply) => answerProblem(reply, notFound('Page')));
  mountPage(app, services);
  mountPlay(app, services);
  void app.register(async (lrs) => mountLrs(lrs, services), { prefix: '/lrs' });
  return app;
}

function mountPage(app: FastifyInstance, services: Services): void {
  app.get<OfSession>('/play/:token/', async (request, reply) => {
    const { langid } = await sessionHere(services, request, request.params.token);
    return reply
      .headers({
        'Content-Security-Policy': pagePolicy(services.training.origins.appOrigins(hostOf(request))),
        // The module must not read what it stored in this browser for another person.
        'Clear-Site-Data': '"storage"',
      })
      .type('text/html; charset=utf-8')
      .send(playerPage(textsFor(request.headers['accept-language'], langid)));
  });
  const script = 'text/javascript; charset=utf-8';
  const files: Record<string, { type: string; body: string }> = {
    'player.js': { type: script, body: playerScript },
    'player.css': { type: 'text/css; charset=utf-8', body: playerStyle },
    'scorm12.js': { type: script, body: library('scorm12') },
    'scorm2004.js': { type: script, body: library('scorm2004') },
  };
  for (const [name, { type, body }] of Object.entries(files))
    app.get(`/player/${name}`, (_request, reply) => reply.type(type).send(body));
  app.get('/player/closed', (request, reply) => {
    const { locale, pages } = textsFor(request.headers['accept-language'], services.site.langid);
    const { title, text } = pages.closed;
    return reply
      .type('text/html; charset=utf-8')
      .send(safe`<!doctype html><html lang="${locale}"><title>${title}</title>${text}`.text);
  });
}

/** The source of the library for a standard, as a script for a page. */
function library(name: 'scorm12' | 'scorm2004'): string {
  const main = createRequire(import.meta.url).resolve('scorm-again');
  return readFileSync(join(dirname(main), `${name}.min.js`), 'utf8');
}

type OfSession = { Params: { token: string } };
type OfActivity = { Params: { token: string; index: string } };
/** `attempt`: `new` starts another attempt at the part, as sequencing decides. */
type OfLaunch = OfActivity & { Querystring: { attempt?: string } };

function mountPlay(app: FastifyInstance, services: Services): void {
  app.get<OfSession>('/play/:token/launch.json', async (request) =>
    describe(services, await sessionHere(services, request, request.params.token)),
  );
  app.post<OfLaunch>('/play/:token/activities/:index/launch', async (request) => {
    const { session, index, activity } = await activityOf(services, request);
    const here = actingFrom(services, request.ip);
    const isNew = request.query.attempt === 'new';
    return launchActivity(
      here,
      session,
      { index, activity, isNew },
      {
        player: originHere(services, request, session),
        app: must(services.training.origins.appOrigins(hostOf(request))[0], 'an origin of the app'),
      },
    );
  });
  app.post<OfActivity>('/play/:token/activities/:index/data', async (request) => {
    const { session, activity } = await activityOf(services, request);
    await commitScorm(actingFrom(services, request.ip), session, activity, jsonOf(request));
    return { result: true, errorCode: 0 };
  });
  app.put<OfSession>('/play/:token/sequencing', async (request) => {
    const session = await sessionHere(services, request, request.params.token);
    await keepSequencing(actingFrom(services, request.ip), session, jsonOf(request));
    return { result: true };
  });
  app.post<OfActivity>('/play/:token/hacp/:index', { bodyLimit: entranceBytes }, async (request, reply) => {
    const { session, activity } = await activityOf(services, request);
    const form = bodyOf(request).toString('utf8');
    const answer = await answerHacp(actingFrom(services, request.ip), session, activity, form);
    return reply.type('text/plain; charset=utf-8').send(answer);
  });
  app.post<{ Params: { token: string; fetch: string } }>('/play/:token/fetch/:fetch', async (request) => {
    const session = await sessionHere(services, request, request.params.token);
    if (await takeFetch(actingFrom(services, request.ip), session, request.params.fetch))
      return { 'auth-token': basicToken(session) };
    return { 'error-code': '1', 'error-text': 'The credentials were given already' };
  });
  app.get<{ Params: { token: string; '*': string } }>('/play/:token/content/*', async (request, reply) => {
    const session = await sessionHere(services, request, request.params.token);
    const path = request.params['*'].normalize('NFC');
    const number = await findFile(services, session.importid, path);
    if (number === undefined) throw notFound('File');
    return sendFile(request, reply, services.training.files.path(session.importid, number), {
      type: typeByName(path),
      etag: `${session.importid}-${number}`,
      isPublic: false,
      policy: contentPolicy(services.training.origins.appOrigins(hostOf(request))),
    });
  });
}

/** The number of a file. Its case is ignored if needed, because most content is created on such file systems. */
async function findFile(services: Services, importid: number, path: string): Promise<number | undefined> {
  // PostgreSQL refuses to compare it, and no file has such a name.
  if (path.includes('\0')) return undefined;
  const files = services.storage.reader
    .selectFrom('training_files')
    .select('number')
    .where('importid', '=', importid);
  const exact = await files.where('path', '=', path).executeTakeFirst();
  if (exact !== undefined) return exact.number;
  const alike = await files
    .where((eb) => eb(eb.fn<string>('lower', ['path']), '=', path.toLowerCase()))
    .orderBy('number')
    .executeTakeFirst();
  return alike?.number;
}

/** The data that the page shows before a part is started. */
async function describe(services: Services, session: PlaySession) {
  const { reader } = services.storage;
  const states = await statesOf(reader, session);
  const tree = session.package.sequencing;
  return {
    title: session.package.title,
    preview: session.preview,
    activities: session.package.activities.map(({ id, title }) => ({
      id,
      title,
      status: (states.get(id)?.outcome ?? untouched).completion,
    })),
    sequencing: tree === undefined ? null : { tree, state: await readSequencingState(reader, session) },
  };
}

async function activityOf(
  services: Services,
  request: FastifyRequest<OfActivity>,
): Promise<{ session: PlaySession; index: number; activity: TrainingActivity }> {
  const session = await sessionHere(services, request, request.params.token);
  const index = Number(request.params.index);
  const activity = session.package.activities[index];
  if (activity === undefined) throw notFound('Part of the module');
  return { session, index, activity };
}

/** Whether a request belongs to an open player, and not to the files of the player itself. */
function asksForSession({ routeOptions, is404 }: FastifyRequest): boolean {
  return !is404 && routeOptions.url?.startsWith('/player/') === false;
}

/**
 * The caller for rate limits: the person of an open session, across all their players, or else an anonymous address.
 */
async function learnerOf(services: Services, request: FastifyRequest): Promise<Caller> {
  const { token } = request.params as { token?: string };
  const session = await services.storage.reader
    .selectFrom('training_sessions')
    .select('userid')
    .where('token_hash', '=', hashToken(token ?? tokenOfCredentials(request)))
    .where('kind', '=', 'session')
    .where('expires_date', '>=', Math.floor(services.now() / 1000))
    .executeTakeFirst();
  if (session === undefined) return stranger(request.ip);
  return { name: `learner ${session.userid}`, holder: personHolder(session.userid), isKnown: true };
}
