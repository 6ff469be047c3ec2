import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';

import { apiPrefix, rootedPath, type Endpoint } from '#shared/api/endpoint.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { uploadId } from '#shared/sync/uploads.ts';
import { IncomingFile } from '#server/media/incoming.ts';
import { callerOf } from '#server/platform/caller.ts';
import { Room } from '#server/platform/room.ts';

import { isOtherAnswer, sendOther } from './answers.ts';
import { callerOf as callerOfCall } from './recorded-for.ts';
import { loadingForReplay, mustEnter, performCall, type Incoming, type LoadForReplay } from './call.ts';
import type { CheckReplay } from './check-answers.ts';
import type { Services } from '../core/services.ts';
import { senderOf, type Viewer } from '../core/viewer.ts';
import { revisionOf } from './etag.ts';
import type { AnyGated, Mounted } from './handle.ts';
import { ResponseCache, knownTarget } from './response-cache.ts';
import { entranceBytes } from './limits.ts';
import { baseUrlOf } from './proxies.ts';
import { pageHeaders } from './paging.ts';
import { preconditionOf } from './admit.ts';
import { receiveFile } from './received.ts';
import { serializerOf } from './serialize.ts';
import { searchableText, storableText } from './sound-json.ts';
import { paramCandidates } from './request-compat.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export { apiPrefix };

/** Largest JSON body and largest file, in bytes. */
export const bodyLimits = { json: 2 * 1024 * 1024, file: 80 * 1024 * 1024 } as const;

/** Bytes of files in memory at the same time; other files wait on the disk (LOAD-3). */
const fileMemory = 128 * 1024 * 1024;

interface Mounting {
  resources: Mounted[];
  services: Services;
  loadForReplay: LoadForReplay;
  checkReplay: CheckReplay | undefined;
  responses: ResponseCache;
  memory: Room;
}

/**
 * Adds a Fastify route for every endpoint of `resources`.
 *
 * - HTTP-9 HEAD has the headers of GET and no body.
 * - INPUT-10 HEAD, a trailing slash and `?pretty` can be combined with everything else.
 */
export async function mountResources(
  app: FastifyInstance,
  resources: Mounted[],
  services: Services,
  checkReplay?: CheckReplay,
): Promise<void> {
  const responses = new ResponseCache(services);
  const mounting = {
    resources,
    services,
    loadForReplay: loadingForReplay(resources),
    checkReplay,
    responses,
    memory: new Room(fileMemory),
  };
  const all = resources.flatMap(({ table, handlers }) =>
    Object.entries(table).map(([name, endpoint]) => ({ endpoint, handler: handlers[name] })),
  );
  const [files, others] = [all.filter(takesFile), all.filter((one) => !takesFile(one))];
  for (const { endpoint, handler } of others) mountEndpoint(app, endpoint, handler, mounting);
  await app.register(async (scope) => {
    // Bodies are written to disk as they arrive.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const { endpoint, handler } of files) mountEndpoint(scope, endpoint, handler, mounting);
  });
}

function takesFile({ endpoint }: { endpoint: Endpoint }): boolean {
  return endpoint.consumes === 'bytes';
}

function mountEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: AnyGated | undefined,
  { resources, services, loadForReplay, checkReplay, responses, memory }: Mounting,
): void {
  if (handler === undefined) throw new Error(`No handler for ${endpoint.method} ${endpoint.path}`);
  const precondition =
    endpoint.tagged === undefined
      ? undefined
      : preconditionOf(readAt(endpoint.taggedAt ?? endpoint.path, resources));
  app.route({
    method: endpoint.method,
    url: fastifyPath(rootedPath(endpoint)),
    config: { endpoint },
    bodyLimit: limitOf(endpoint),
    ...writing(endpoint),
    ...(endpoint.method === 'GET'
      ? answeringFromCache(endpoint, responses)
      : enteringFirst(endpoint, services)),
    handler: async (request, reply) => {
      if (endpoint.unstored === true) reply.header('Cache-Control', 'no-store');
      const viewer = await callerOfCall(endpoint, request, services);
      responses.expect(endpoint, request, viewer);
      await using file = await receiveFile(request, services, viewer);
      if (file === null) return reply.hijack();
      const candidates = interpretationsOf(endpoint, request, viewer, file);
      using _memory = await memory.take(
        callerOf({ viewer, address: request.ip }),
        endpoint.onDisk === true ? 0 : await fileSize(candidates[0], services),
      );
      const outcome = await firstFound(candidates, (incoming) =>
        performCall(endpoint, handler, { ...incoming, precondition }, services, loadForReplay, checkReplay),
      );
      if (outcome.replayed) reply.header('Idempotency-Replayed', 'true');
      if (candidates[0]?.key != null) services.devices.sent(viewer);
      if (outcome.page !== undefined)
        reply.headers(pageHeaders(outcome.page, knownTarget(endpoint, request.url)));
      if (isOtherAnswer(outcome.body)) return sendOther(request, reply, outcome.body);
      if (endpoint.method === 'GET') request.revisionid = revisionOf(outcome.body);
      return reply.status(outcome.status).send(outcome.status === 204 ? undefined : outcome.body);
    },
  });
}

/** Maximum bytes of a body; a file is counted as it arrives. */
function limitOf({ consumes, access }: Endpoint): number {
  if (consumes === 'bytes') return bodyLimits.file;
  return access === 'public' ? entranceBytes : bodyLimits.json;
}

/**
 * Checks the caller, and the access of the endpoint, before the body is read.
 *
 * - LOAD-1 The sender is checked before the body is read, on every path of the API, of sync, of uploads and of the
 *   player of training modules. So is the path itself. Therefore 401, 403 for administrators' calls, 404 for paths and
 *   405 come before 400. After refusing a body of more than 64 KB, or of unknown length, the server ends the
 *   connection (`slow-bodies.ts`): it half-closes it and discards what still arrives for 2 seconds or 1 MB, so that a
 *   caller who keeps sending can read the reason. A caller who asks before sending (`Expect: 100-continue`) is told to
 *   continue only after all these checks.
 */
function enteringFirst(endpoint: Endpoint, services: Services): Pick<RouteOptions, 'onRequest'> {
  return {
    onRequest: async (request) =>
      mustEnter(endpoint, await callerOfCall(endpoint, request, services), services),
  };
}

/** Size of the file of a call, sent as its body or uploaded before. */
async function fileSize(incoming: Incoming | undefined, { uploads }: Services): Promise<number> {
  if (incoming?.body instanceof IncomingFile) return incoming.body.size;
  const upload = incoming?.upload ?? null;
  return incoming === undefined || upload === null ? 0 : uploads.size(senderOf(incoming.viewer), upload.id);
}

/** The GET at an address. */
function readAt(path: string, resources: Mounted[]): { endpoint: Endpoint; handler: AnyGated } {
  for (const { table, handlers } of resources)
    for (const [name, endpoint] of Object.entries(table))
      if (endpoint.method === 'GET' && endpoint.path === path)
        return { endpoint, handler: must(handlers[name], `the handler of GET ${path}`) };
  throw new Error(`There is no GET ${path} whose tag a write could name`);
}

function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** How the framework serializes a successful response. */
function writing({ result, status = 200 }: Endpoint): Pick<RouteOptions, 'schema' | 'serializerCompiler'> {
  if (result === undefined) return {};
  const serialize = serializerOf(result);
  return { schema: { response: { [status]: {} } }, serializerCompiler: () => serialize };
}

/** Sends a cached response from the `onRequest` hook: everything after it costs more than sending the response. */
function answeringFromCache(endpoint: Endpoint, responses: ResponseCache): Pick<RouteOptions, 'onRequest'> {
  if (endpoint.lasts === undefined) return {};
  return {
    onRequest: (request, reply, done) => {
      if (!responses.answer(endpoint, request, reply)) done();
    },
  };
}

/** Candidate interpretations of a request, most likely first. */
function interpretationsOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  viewer: Viewer,
  file: IncomingFile | undefined,
): Incoming[] {
  const incoming = withUpload(endpoint, incomingOf(request, viewer, file));
  return paramCandidates(endpoint, request.url, incoming.params).map((params) => ({ ...incoming, params }));
}

/** The result of the first interpretation that is not 404. */
async function firstFound<T>(
  candidates: readonly Incoming[],
  perform: (one: Incoming) => Promise<T>,
): Promise<T> {
  for (const candidate of candidates.slice(0, -1)) {
    try {
      return await perform(candidate);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'not-found') throw error;
    }
  }
  return perform(must(candidates.at(-1), 'an interpretation of the request'));
}

/**
 * The parts of a request that a call is performed with.
 *
 * - REFUSAL-2 An invalid Idempotency-Key is 422, before anything is done.
 */
function incomingOf(request: FastifyRequest, viewer: Viewer, file: IncomingFile | undefined): Incoming {
  // A read has no effect that could happen twice.
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const key = isRead ? undefined : request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !/^[\w-]{8,64}$/.test(key))) {
    throw new Problem('invalid', 'Idempotency-Key must be 8 to 64 letters, digits, - or _', {
      errors: [{ field: 'Idempotency-Key', message: 'Must be 8 to 64 letters, digits, - or _' }],
    });
  }
  return {
    method: request.method,
    target: request.url.replace(/[?&]pretty(=[^&]*)?/, ''),
    params: singleValues(request.params as Record<string, string>, searchableText),
    query: withLanguage(
      singleValues(
        request.query as Record<string, string | string[]>,
        isRead ? searchableText : storableText,
      ),
    ),
    body: file ?? request.body,
    upload: null,
    key: key ?? null,
    requestId: request.id,
    viewer,
    baseUrl: baseUrlOf(request),
    address: request.ip,
    headers: singleValues(request.headers, searchableText),
  };
}

/**
 * Adds the upload that the query names instead of a body. The target becomes that of the same call with the file as
 * body.
 */
function withUpload({ takesUploads }: Endpoint, incoming: Incoming): Incoming {
  const { upload, sha256, ...query } = incoming.query;
  if (takesUploads !== true || upload === undefined) return incoming;
  const named = z.object({ upload: uploadId, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
  const parsed = named.safeParse({ upload, sha256 });
  if (!parsed.success)
    throw new Problem('invalid', 'Validation failed', {
      errors: parsed.error.issues.map(({ path }) => ({
        field: String(path[0]),
        message:
          path[0] === 'upload' ? 'Name an upload' : 'Send the SHA-256 of the file, in lower-case hexadecimal',
      })),
    });
  const target = incoming.target.replaceAll(/(?<=[?&])(?:upload|sha256)=[^&]*&?/g, '').replace(/[?&]$/, '');
  return { ...incoming, target, query, upload: { id: parsed.data.upload, sha256: parsed.data.sha256 } };
}

/**
 * Replaces older spellings (API facts 0.1).
 *
 * - LIST-9 `lang` means `langid`, and `jp` means `ja`. An unknown language is not an error.
 */
function withLanguage(query: Record<string, string>): Record<string, string> {
  const langid = query['langid'] ?? query['lang'];
  return langid === undefined ? query : { ...query, langid: langid.toLowerCase() === 'jp' ? 'ja' : langid };
}

/** The last value of each name. A list in the notation of PHP (`stepids[]=1&stepids[]=2`) becomes `stepids=1,2`. */
function singleValues(
  values: Record<string, string | string[] | undefined>,
  read: (text: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const list = name.endsWith('[]');
      const text = Array.isArray(value) ? (list ? value.join(',') : (value.at(-1) ?? '')) : value;
      return [[list ? name.slice(0, -2) : name, read(text, name)]];
    }),
  );
}
