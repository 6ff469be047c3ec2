import { z } from 'zod';

import { isRemembered, isStream, statusesOf, type Endpoint } from '../endpoint.ts';
import { fixedComponents } from './components.ts';
import { exampleOf, type Json } from './examples.ts';
import { schemaOf } from './schemas.ts';
import { statusWords } from './words.ts';

/** The answers of an operation, and 405, which belongs to its path but has no other place in the document. */
export function responsesOf(endpoint: Endpoint, schemas: Json): Json {
  const statuses = [...statusesOf(endpoint), 405].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [status, responseOf(status, endpoint, schemas)]),
  ) as Json;
}

function responseOf(status: number, endpoint: Endpoint, schemas: Json): Json {
  if (status === (endpoint.status ?? 200)) return success(endpoint, schemas);
  if (status === 304)
    return {
      description: 'The caller has it already (If-None-Match)',
      headers: headers('ETag', 'RequestId'),
    };
  if (status === 206)
    return {
      description: 'The part that Range asked for',
      headers: headers('ETag', 'RequestId'),
      content: otherContent(endpoint),
    };
  if (status === 416) return { description: 'Range lies beyond the end', headers: headers('RequestId') };
  if (status !== 409) return refusal(status, endpoint);
  const current = endpoint.conflict ?? endpoint.tagged ?? endpoint.revisioned ?? endpoint.checks;
  return {
    description:
      endpoint.conflictWords ?? 'The record has changed meanwhile; the body is the record as it is now',
    headers: headers('RequestId'),
    ...(current === undefined ? {} : jsonContent(current, schemas)),
  };
}

/** A shared refusal; where an answer may be XML, its refusals may be XML too. */
function refusal(status: number, endpoint: Endpoint): Json {
  const $ref = `#/components/responses/${statusWords[status]?.name}`;
  if (endpoint.produces?.includes('application/xml') !== true) return { $ref };
  const shared = (fixedComponents['responses'] as Record<string, Json>)[statusWords[status]?.name ?? ''];
  return {
    ...shared,
    content: { ...(shared?.['content'] as Json), 'application/xml': { schema: { type: 'string' } } },
  };
}

/** The forms of an answer other than JSON. */
function otherContent({ produces = [] }: Endpoint): Json {
  return Object.fromEntries(
    produces.map((form) => [
      form,
      { schema: { type: 'string', ...(form.endsWith('zip') ? { format: 'binary' } : {}) } },
    ]),
  );
}

function success(endpoint: Endpoint, schemas: Json): Json {
  const isPaged = endpoint.query instanceof z.ZodObject && 'limit' in endpoint.query.shape;
  const isList = endpoint.method === 'GET' && (isPaged || endpoint.result instanceof z.ZodArray);
  const isOneAnswer = !isStream(endpoint);
  const named = [
    ...(isOneAnswer && endpoint.method === 'GET' ? ['ETag'] : []),
    ...(isOneAnswer && isPaged && isList ? ['Link'] : []),
    ...(isOneAnswer && isList ? ['TotalCount'] : []),
    ...(isOneAnswer && isRemembered(endpoint) ? ['IdempotencyReplayed'] : []),
    'RequestId',
  ];
  const hasBody = endpoint.result !== undefined || endpoint.produces !== undefined;
  const json =
    endpoint.result === undefined ? {} : (jsonContent(endpoint.result, schemas)['content'] as Json);
  return {
    description: hasBody ? 'Done' : 'Done; there is no body',
    headers: headers(...named),
    ...(hasBody ? { content: { ...json, ...otherContent(endpoint) } } : {}),
  };
}

function headers(...names: string[]): Json {
  const wire: Record<string, string> = {
    TotalCount: 'X-Total-Count',
    RequestId: 'X-Request-Id',
    IdempotencyReplayed: 'Idempotency-Replayed',
  };
  return Object.fromEntries(
    names.map((name) => [wire[name] ?? name, { $ref: `#/components/headers/${name}` }]),
  );
}

function jsonContent(type: z.ZodType, schemas: Json): Json {
  const schema = schemaOf(type, 'input', schemas);
  return { content: { 'application/json': { schema, example: exampleOf(schema, schemas) } } };
}
