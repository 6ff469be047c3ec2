import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Problem, problemFields } from '#shared/api/problem.ts';
import { actingFrom } from '#server/storage/audit/origin.ts';
import { hasBody } from '#server/http/slow-bodies.ts';
import type { Services } from '#server/core/services.ts';

import type { Json } from './json.ts';
import {
  etagOf,
  listDocuments,
  mergeDocument,
  putDocument,
  readDocument,
  removeDocuments,
  type DocumentCondition,
  type DocumentKey,
} from './lrs-documents.ts';
import { sessionHere } from './own-origin.ts';
import type { PlaySession } from './sessions.ts';
import { findStatement, listStatements, recordStatements } from './statements.ts';

const version = '1.0.3';

/**
 * The learning record store of an open player: statements, state and profiles of a person in a module. Credentials
 * identify the session; other sessions are not accessible.
 */
export function mountLrs(app: FastifyInstance, services: Services): void {
  app.addHook('onSend', async (_request, reply) => void reply.header('X-Experience-API-Version', version));
  // The caller is checked before the body is read.
  app.addHook('onRequest', async (request) => {
    if (hasBody(request.raw)) await sessionOfRequest(request, services);
  });
  app.get('/about', () => ({ version: [version] }));
  app.get('/activities', async (request) => {
    await sessionOfRequest(request, services);
    return { objectType: 'Activity', id: required(queryOf(request), 'activityId') };
  });
  mountStatements(app, services);
  mountDocuments(app, services, '/activities/state', (query) => ({
    resource: 'state',
    activity: required(query, 'activityId'),
    documentid: query.get('stateId'),
  }));
  mountDocuments(app, services, '/activities/profile', (query) => ({
    resource: 'activity',
    activity: required(query, 'activityId'),
    documentid: query.get('profileId'),
  }));
  mountDocuments(app, services, '/agents/profile', (query) => ({
    resource: 'agent',
    activity: '',
    documentid: query.get('profileId'),
  }));
}

function mountStatements(app: FastifyInstance, services: Services): void {
  const db = services.storage.reader;
  app.get('/statements', async (request) => {
    const session = await sessionOfRequest(request, services);
    const query = queryOf(request);
    const [sound, voided] = [query.get('statementId'), query.get('voidedStatementId')];
    if (sound !== null && voided !== null)
      throw new Problem('invalid', 'Ask for statementId or for voidedStatementId');
    const id = sound ?? voided;
    if (id === null) {
      const { statements, more } = await listStatements(db, session, query);
      return { statements, more: more === '' ? '' : `/lrs/statements${more}` };
    }
    const found = await findStatement(db, session, id, { isVoided: voided !== null });
    if (found === undefined) throw new Problem('not-found', 'Statement not found');
    return found;
  });
  app.post('/statements', async (request) => {
    const session = await sessionOfRequest(request, services);
    const body = jsonOf(request);
    const statements = Array.isArray(body) ? body : [body];
    return recordStatements(actingFrom(services, request.ip), session, statements);
  });
  app.put('/statements', async (request, reply) => {
    const session = await sessionOfRequest(request, services);
    const id = required(queryOf(request), 'statementId');
    const body = jsonOf(request);
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Problem('invalid', 'The statement is no object');
    if (body['id'] !== undefined && body['id'] !== id)
      throw new Problem('invalid', 'The statement has another id than statementId');
    await recordStatements(actingFrom(services, request.ip), session, [{ ...body, id }]);
    return reply.status(204).send();
  });
}

type Asked = Omit<DocumentKey, 'documentid'> & { documentid: string | null };

function mountDocuments(
  app: FastifyInstance,
  services: Services,
  path: string,
  placeOf: (query: URLSearchParams) => Asked,
): void {
  const asked = async (request: FastifyRequest): Promise<{ session: PlaySession; place: Asked }> => ({
    session: await sessionOfRequest(request, services),
    place: placeOf(queryOf(request)),
  });
  app.get(path, async (request, reply) => {
    const { session, place } = await asked(request);
    if (!isOne(place)) return listDocuments(services, session, place);
    const found = await readDocument(services, session, place);
    if (found === undefined) throw new Problem('not-found', 'Document not found');
    return reply.type(found.type).header('ETag', etagOf(found)).send(found.body);
  });
  for (const [method, store] of [
    ['PUT', putDocument],
    ['POST', mergeDocument],
  ] as const)
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { session, place } = await asked(request);
        if (!isOne(place)) throw new Problem('invalid', 'The document has no id');
        const type = request.headers['content-type'] ?? 'application/octet-stream';
        const here = actingFrom(services, request.ip);
        const sent = { type: type.slice(0, 200), body: bodyOf(request), ...conditionOf(request) };
        await store(here, session, place, sent);
        return reply.status(204).send();
      },
    });
  app.delete(path, async (request, reply) => {
    const { session, place } = await asked(request);
    if (place.resource !== 'state' && !isOne(place)) throw new Problem('invalid', 'The document has no id');
    await removeDocuments(actingFrom(services, request.ip), session, place, conditionOf(request));
    return reply.status(204).send();
  });
}

function isOne(place: Asked): place is DocumentKey {
  return place.documentid !== null;
}

/** The condition in the headers of a request (part 3, 3.1). */
function conditionOf({ headers }: FastifyRequest): DocumentCondition {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
}

/** The session of the credentials; throws 401 if they are invalid. */
async function sessionOfRequest(request: FastifyRequest, services: Services): Promise<PlaySession> {
  return sessionHere(services, request, tokenOfCredentials(request));
}

/** The session token in the credentials of a request; '' if there is none. */
export function tokenOfCredentials({ headers }: FastifyRequest): string {
  const given = /^Basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const [, token = ''] = Buffer.from(given, 'base64').toString('utf8').split(':');
  return token;
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://lrs').searchParams;
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw new Problem('invalid', `${name} is missing`);
  return value;
}

export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** The JSON in a body, regardless of its content type; throws 400 if it is not JSON. */
export function jsonOf(request: FastifyRequest): Json {
  try {
    return JSON.parse(bodyOf(request).toString('utf8')) as Json;
  } catch (cause) {
    throw new Problem('bad-json', 'The request body is not valid JSON', { cause });
  }
}

/**
 * Answers a refusal of the LRS: conflicts have no record, and a 422 becomes 400, or 413 for a body that is too large.
 */
export function answerProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const refused = problem.code === 'body-too-large' ? 413 : 400;
  const status = problem.kind === 'invalid' ? refused : problem.status;
  const { retryAfterSeconds } = problem.details;
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  return reply.status(status).send(problemFields(problem.message, problem.code));
}
