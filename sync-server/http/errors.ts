import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { rootedPath, type Endpoint } from '#shared/api/endpoint.ts';
import { notFound, Problem, problemFields } from '#shared/api/problem.ts';
import { element, textElement, xmlDocument } from '#shared/formats/omanual/xml-writer.ts';
import { isDamage } from '#server/storage/damage.ts';
import { isFullDisk } from '#server/storage/sqlite.ts';
import { DatabaseUnreachable } from '#server/storage/unreachable.ts';
import { requestName } from '#shared/sync/wire.ts';

import type { Services } from '../core/services.ts';
import { httpDate } from './date-header.ts';
import { closeWhereUnread, hasBody } from './slow-bodies.ts';

/**
 * Sends every refusal and failure in the forms that clients of the API expect (API facts 0.2).
 *
 * - HTTP-12 A refusal has `error` and `message`, and a 422 names the fields.
 * - HTTP-20 Every refusal has a `code` from the closed list in `shared/api/problem.ts`, in batches too: programs
 *   decide by it, people read the message. The body of a 409 of a versioned record is the current record, without a
 *   code: the status says enough.
 * - INPUT-20 A refusal repeats at most 200 characters of a name that the caller sent, and 500 of a message.
 */
export function installErrors(app: FastifyInstance, { damage }: Pick<Services, 'damage'>): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isDamage(error)) damage.report(error.message);
    const problem = error instanceof Problem ? error : problemOf(error);
    // An overloaded server does not also log every refused call.
    if (problem?.kind === 'unavailable' && problem.code !== 'server-busy')
      request.log.error({ err: error }, 'request could not be served');
    if (problem === undefined) {
      request.log.error({ err: error }, 'request failed');
      const text = 'The server failed; the request may be sent again';
      if (wantsXml(request)) return reply.status(500).type(xmlType).send(xmlMessage(text, request.id));
      const fields = { ...problemFields(text, 'server-error'), ...requestNameOf(request) };
      return reply.status(500).send({ ...fields, requestid: request.id });
    }
    return sendProblem(reply, problem);
  });
}

/**
 * Answers addresses that the router cannot parse, such as `/guides/%zz`.
 *
 * - INPUT-1 An address with a malformed escape is 404.
 */
export function answerBadAddress(services: Services) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    // No hook runs for these requests.
    reply.headers({ 'X-Request-Id': request.id, Date: httpDate(services) });
    closeWhereUnread(request, reply);
    void sendProblem(
      reply,
      new Problem('not-found', 'Not found: the address is not well-formed', { code: 'endpoint-not-found' }),
    );
  };
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { details } = problem;
  reply.status(problem.status).type('application/json; charset=utf-8');
  if (details.retryAfterSeconds !== undefined) reply.header('Retry-After', String(details.retryAfterSeconds));
  if (details.allow !== undefined) reply.header('Allow', details.allow.join(', '));
  if (wantsXml(reply.request)) return reply.type(xmlType).send(xmlProblem(problem));
  if (problem.kind === 'conflict' && details.current !== undefined)
    return reply.send(JSON.stringify(details.current));
  const body: Record<string, unknown> = {
    ...problemFields(problem.message, problem.code),
    ...requestNameOf(reply.request),
  };
  if (problem.kind === 'invalid')
    body['errors'] = details.errors ?? [{ field: 'body', message: problem.message }];
  if (problem.kind === 'forbidden' && (details.requiredPrivileges?.length ?? 0) > 0)
    body['requiredPrivileges'] = details.requiredPrivileges;
  return reply.send(JSON.stringify(body));
}

const xmlType = 'application/xml; charset=utf-8';

/** Whether the request asks for XML and the endpoint has it: then refusals are XML too. */
function wantsXml(request: FastifyRequest): boolean {
  const { endpoint } = request.routeOptions.config;
  const query = request.query as Record<string, unknown> | undefined;
  return endpoint?.produces?.includes('application/xml') === true && query?.['type'] === 'XML';
}

/** A refusal as an XML document: the message and, for a 422, each field. */
function xmlProblem(problem: Problem): string {
  const fields = (problem.details.errors ?? []).map(({ field, message: words }) =>
    textElement('field', words, { name: field }),
  );
  return xmlMessage(problem.message, undefined, fields);
}

function xmlMessage(text: string, requestid?: string, fields: string[] = []): string {
  const id = requestid === undefined ? [] : [textElement('requestid', requestid)];
  const content = [textElement('message', text), ...fields, ...id].join('');
  return xmlDocument(element('error', {}, content));
}

/** The error code of PostgreSQL for a text that does not fit into an index: more than about 2,700 bytes after compression. */
const longText = '54000';
/** The error code of PostgreSQL for NUL in a text. Most are refused before (INPUT-5); the rest only in addresses. */
const oddCharacter = '22021';

/** The refusal for an error of Fastify, the database or the disk; undefined for any other error. */
function problemOf(error: FastifyError): Problem | undefined {
  const problem = problemOfStorage(error);
  if (problem !== undefined) return problem;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new Problem('bad-json', error.message);
  return undefined;
}

/**
 * The refusal for an error of the database or the disk; undefined for any other error.
 *
 * - INPUT-7 If the disk is full, the answer is 503 with the code `disk-full`, for files and for each call of a batch
 *   too, and the server continues. Reading needs no disk space.
 * - INPUT-29 A text that is too long for an index of PostgreSQL is 422 with the code `text-too-long`.
 */
export function problemOfStorage(error: FastifyError): Problem | undefined {
  if (isFullDisk(error))
    return new Problem('unavailable', "The server's disk is full; nothing was stored", { code: 'disk-full' });
  if (isDamage(error))
    return new Problem('unavailable', "The server's database is damaged; its administrators are notified", {
      code: 'database-damaged',
    });
  if (error instanceof DatabaseUnreachable)
    return new Problem('unavailable', 'The server cannot reach its database; try again', {
      code: 'database-unreachable',
      retryAfterSeconds: 5,
    });
  if (error.code === oddCharacter)
    return new Problem('invalid', 'A text contains the character NUL (U+0000), which cannot be stored', {
      code: 'character-not-allowed',
    });
  if (error.code === longText) {
    const message = 'A text is too long; shorten it and try again';
    return new Problem('invalid', message, { code: 'text-too-long' });
  }
  if (error.code === 'SQLITE_BUSY')
    return new Problem('unavailable', 'The database is busy; nothing was stored', { retryAfterSeconds: 5 });
  return undefined;
}

/**
 * Answers 405 with `Allow` if the path exists with other methods, else 404.
 *
 * - HTTP-10 Another method is 405, with the supported methods in `Allow`.
 * - HTTP-21 OPTIONS names the supported methods in `Allow` and in JSON, unless a browser asks for a page of another
 *   origin: that is a preflight.
 * - REFUSAL-10 The 405 of a path belongs to no single operation. The OpenAPI document lists it at each operation of
 *   the path.
 */
export function installNotFound(
  app: FastifyInstance,
  endpoints: Pick<Endpoint, 'method' | 'path' | 'root'>[],
): void {
  const methods = new Map<string, Set<string>>();
  for (const endpoint of endpoints) {
    const pattern = `^${rootedPath(endpoint)
      .replaceAll('.', String.raw`\.`)
      .replaceAll(/\{\w+\}/g, '[^/]+')}/?$`;
    const known = methods.get(pattern) ?? new Set<string>();
    known.add(endpoint.method);
    methods.set(pattern, known);
  }
  const patterns = [...methods].map(([pattern, allowed]) => ({ pattern: new RegExp(pattern), allowed }));
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allow = new Set(
      patterns.filter((one) => one.pattern.test(path)).flatMap((one) => [...one.allowed]),
    );
    if (allow.size > 0) {
      if (allow.has('GET')) allow.add('HEAD');
      const methodsHere = [...allow.add('OPTIONS')].toSorted();
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined)
        return reply.status(200).header('Allow', methodsHere.join(', ')).send({ allow: methodsHere });
      return sendProblem(
        reply,
        new Problem('method-not-allowed', `${request.method} is not supported here`, { allow: methodsHere }),
      );
    }
    return sendProblem(reply, notFound('Endpoint'));
  };
  app.setNotFoundHandler(answer);
  // The body of a request without a route is never read.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 && hasBody(request.raw)) void answer(request, reply);
    else done();
  });
}

/**
 * The name that a request to `/sync/1` has in its query, which the response repeats (FEED-19); empty for other
 * requests.
 */
export function requestNameOf({ routeOptions, query }: FastifyRequest): { request?: string } {
  // Checked by the matched route, because an address may be escaped.
  if (routeOptions.url?.startsWith('/sync/') !== true) return {};
  const { data: request } = requestName.safeParse(
    (query as Record<string, unknown> | undefined)?.['request'],
  );
  return request === undefined ? {} : { request };
}
