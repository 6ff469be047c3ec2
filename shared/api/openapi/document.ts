import { z } from 'zod';

import { guide, step } from '#shared/model/guide-record.ts';
import { stepForm } from '#shared/model/step-form.ts';
import { wiki } from '#shared/model/wiki-record.ts';

import {
  isRemembered,
  isStream,
  pathParameters,
  pathShape,
  statusesOf,
  type Endpoint,
  type EndpointTable,
  type Method,
  type Revisioned,
} from '../endpoint.ts';
import { sync } from '../sync.ts';
import { fixedComponents, problemSchemas } from './components.ts';
import { exampleOf, type Json } from './examples.ts';
import { schemaOf } from './schemas.ts';
import { parameterWords, resourceTags, statusWords } from './words.ts';

/** The record in the body of a 409. */
const currentRecord: Record<Revisioned, z.ZodType> = { guide, step, wiki, form: stepForm };

/** Calls that require an app id if the site demands one (spec, "Authentication" 2). */
const withAppId = new Set([
  'POST /user/token',
  'POST /user/token/sign_on',
  'POST /user/token/sign_on/redeem',
  'POST /users',
]);

const description = `Guides, step forms, work log, comments, media and people.

Bodies are JSON whatever the content type says; form fields are the fallback, lists and records in them written as
\`flags[]=…\` and \`parts[0][name]=…\`. Every refusal has a body with \`message\`.
A verb that a path does not have answers 405 with \`Allow\`; an address that names nothing answers 404. A client that
knows no PATCH sends a POST with \`X-HTTP-Method-Override: PATCH\` (or PUT, DELETE). Numbers and switches may be texts. \`?pretty\` makes
answers readable. A trailing slash does not matter, and \`/guide/…\` is \`/guides/…\`.

Operations beyond the specification carry \`x-extension\`.`;

/**
 * The OpenAPI 3.1 document of the tables.
 * - OPENAPI-1 The server serves the document as it was made from the tables, and answers 304 to a client that already
 *   has it.
 * - OPENAPI-2 It contains every mounted route, including all routes of the specification, and no other.
 * - OPENAPI-3 Every operation has a unique name.
 * - OPENAPI-4 It declares exactly the parameters of each path, each once and with a description.
 * - OPENAPI-5 Every reference leads to a component of the document, and every component is referenced.
 * - OPENAPI-6 It lists how each operation succeeds and fails, including 206 and 416 of operations that answer parts of
 *   a file.
 * - OPENAPI-7 Its routes change only on purpose: a snapshot lists them.
 * - OPENAPI-8 Every body and every answer has an example that its own schema accepts.
 * - OPENAPI-9 Every operation has a tag with a description; an operation that is not in the specification is marked as
 *   an extension.
 * - OPENAPI-10 The schema of a 409 is the record whose revision the call names.
 * - OPENAPI-11 Spectral reports no error.
 */
export function openApiDocument(tables: EndpointTable[]): Json {
  const schemas: Json = { ...problemSchemas };
  const paths = new Paths();
  for (const table of [...tables, sync])
    for (const [name, endpoint] of Object.entries(table)) {
      const path = paths.spelled(endpoint.path);
      paths.add(endpoint.method, path, operationOf(name, endpoint, path, schemas));
    }
  const used = new Set(Object.keys(paths.all).map(tagOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Repair-Guide Documentation Service API',
      version: '2.0',
      description,
      contact: { name: 'The administrator of this site' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/2.0' }],
    tags: resourceTags
      .filter(({ name }) => used.has(name))
      .map((tag) => ({ name: tag.name, description: tag.description })),
    security: [{ token: [] }],
    paths: paths.all,
    components: { ...fixedComponents, schemas },
  };
}

/** The paths of the document by their shape: `/a/{x}` and `/a/{y}` are one path, spelled as the first of them. */
class Paths {
  readonly all: Record<string, Json> = {};
  readonly #spellings = new Map<string, string>();

  spelled(path: string): string {
    const shape = pathShape(path);
    const known = this.#spellings.get(shape) ?? path;
    this.#spellings.set(shape, known);
    return known;
  }

  add(method: Method, path: string, operation: Json): void {
    (this.all[path] ??= {})[method.toLowerCase()] = operation;
  }
}

function tagOf(path: string): string {
  return resourceTags.find(({ paths }) => paths.test(path))?.name ?? 'Site';
}

function operationId(method: Method, path: string): string {
  return `${method.toLowerCase()}_${path.replaceAll(/[^\w]+/g, '_').replaceAll(/^_|_$/g, '')}`;
}

function operationOf(name: string, endpoint: Endpoint, spelled: string, schemas: Json): Json {
  const { method, path } = endpoint;
  return {
    operationId: operationId(method, path),
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [tagOf(path)],
    'x-name': name,
    ...(endpoint.extension === true ? { 'x-extension': true } : {}),
    ...(endpoint.deprecated === true ? { deprecated: true } : {}),
    ...(endpoint.root === undefined ? {} : { servers: [{ url: endpoint.root }] }),
    ...securityOf(endpoint),
    parameters: [
      ...pathParts(endpoint, spelled, schemas),
      ...queryParts(endpoint, schemas),
      ...uploadParts(endpoint),
      ...revisionPart(endpoint),
      ...commonParts(endpoint),
    ],
    ...bodyPart(endpoint, schemas),
    responses: responsesOf(endpoint, schemas),
  };
}

function describe(endpoint: Endpoint): string {
  const who = {
    public: 'Anybody may call it, on a private site anybody signed in.',
    user: 'Needs a token.',
    admin: 'For administrators.',
  }[endpoint.access ?? 'user'];
  const { revisioned, checks, tagged } = endpoint;
  const tag =
    tagged === undefined
      ? ''
      : ' If-Match may carry the ETag of a GET here; another than the current is 409.';
  const revision =
    revisioned !== undefined
      ? ` Names the revision of the ${revisioned} that it changes; another one than the current is 409.`
      : checks !== undefined
        ? ` May name the revision of the ${checks}; another one than the current is 409.`
        : '';
  return `${endpoint.summary}. ${who}${revision}${tag}${endpoint.extension === true ? ' Beyond the specification.' : ''}`;
}

function securityOf(endpoint: Endpoint): Json {
  if (endpoint.access !== 'public') return {};
  if (withAppId.has(`${endpoint.method} ${endpoint.path}`))
    return { security: [{}, { appId: [] }, { token: [] }, { token: [], appId: [] }] };
  return { security: [{}, { token: [] }] };
}

function pathParts(endpoint: Endpoint, spelled: string, schemas: Json): Json[] {
  const json = endpoint.params === undefined ? {} : schemaOf(endpoint.params, 'output', schemas);
  const properties = (json['properties'] ?? {}) as Record<string, Json>;
  return pathParameters(endpoint.path).map((name, index) => ({
    name: pathParameters(spelled)[index],
    in: 'path',
    required: true,
    ...described(name, inPath(properties[name])),
  }));
}

/** The schema of a parameter. One that is parsed further, such as a list of ids, is a text. */
function inPath(schema: Json | undefined): Json {
  return schema === undefined || Object.keys(schema).length === 0 ? { type: 'string' } : schema;
}

/** Description and schema of a parameter; the schema's own description takes precedence over the common one. */
function described(name: string, { description: own, ...schema }: Json): Json {
  return { description: own ?? parameterWords[name], schema };
}

function queryParts(endpoint: Endpoint, schemas: Json): Json[] {
  if (endpoint.query === undefined) return [];
  const json = schemaOf(endpoint.query, 'input', schemas);
  const required = new Set((json['required'] ?? []) as string[]);
  return Object.entries((json['properties'] ?? {}) as Record<string, Json>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name) && Object.keys(schema).length > 0 && schema['default'] === undefined,
    ...described(name, schema),
  }));
}

/** The parameters that name a file uploaded before. */
function uploadParts({ takesUploads }: Endpoint): Json[] {
  if (takesUploads !== true) return [];
  return [
    {
      name: 'upload',
      in: 'query',
      required: false,
      description:
        'An upload (`/sync/1/uploads`) whose file stands for the body, which is empty then. Beyond the specification',
      schema: { type: 'string' },
    },
    {
      name: 'sha256',
      in: 'query',
      required: false,
      description: 'SHA-256 of the file of the upload, in lower-case hexadecimal. Beyond the specification',
      schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    },
  ];
}

function revisionPart({ revisioned, checks, tagged }: Endpoint): Json[] {
  const record = revisioned ?? checks;
  if (record === undefined)
    return tagged === undefined ? [] : [{ $ref: '#/components/parameters/IfMatchTag' }];
  return [
    {
      name: 'revisionid',
      in: 'query',
      required: revisioned !== undefined,
      description: `The current revisionid of the ${record}; If-Match may carry it instead`,
      schema: { type: 'integer' },
    },
    { $ref: '#/components/parameters/IfMatch' },
  ];
}

/** The headers that calls of the same kind share, and `pretty`. */
function commonParts(endpoint: Endpoint): Json[] {
  const { method } = endpoint;
  const named = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
  if (isStream(endpoint)) return [named('RequestId')];
  if (method === 'GET') return [named('IfNoneMatch'), named('Pretty'), named('RequestId')];
  return [...(isRemembered(endpoint) ? [named('IdempotencyKey')] : []), named('Pretty'), named('RequestId')];
}

function bodyPart(endpoint: Endpoint, schemas: Json): Json {
  if (endpoint.consumes === 'bytes') {
    const types = ['application/octet-stream', ...(endpoint.files ?? [])];
    const file = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file } };
    return {
      requestBody: {
        description:
          'The bytes of the file as they are, 80 MB at most (a site may allow less). What it is, its bytes show, whatever ' +
          'the content type says',
        required: true,
        content: Object.fromEntries(
          types.map((type) => [type, { schema: type === 'multipart/form-data' ? form : file }]),
        ),
      },
    };
  }
  if (endpoint.body === undefined) return {};
  const schema = schemaOf(endpoint.body, 'input', schemas);
  const mayBeEmpty = endpoint.body.safeParse({}).success;
  const example = exampleOf(schema, schemas);
  const content = {
    'application/json': { schema, example },
    'application/x-www-form-urlencoded': { schema },
  };
  return { requestBody: { required: !mayBeEmpty, content } };
}

/** The answers of an operation, and 405, which belongs to its path but has no other place in the document. */
function responsesOf(endpoint: Endpoint, schemas: Json): Json {
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
  const revisioned = endpoint.revisioned ?? endpoint.checks;
  const current =
    endpoint.conflict ??
    endpoint.tagged ??
    (revisioned === undefined ? undefined : currentRecord[revisioned]);
  return {
    description: 'The record has changed meanwhile; the body is the record as it is now',
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
      { schema: { type: 'string', ...(form === 'application/zip' ? { format: 'binary' } : {}) } },
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
