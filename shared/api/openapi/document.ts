import { z } from 'zod';

import { pathParameters, type Endpoint, type EndpointTable } from './endpoint.ts';

type Json = Record<string, unknown>;

const refusals: Record<string, string> = {
  '400': 'The request body is not valid JSON',
  '401': 'Authentication required',
  '403': 'Insufficient privileges',
  '404': 'Not found, or not to be seen by the caller',
  '405': 'The verb is not supported here',
  '409': 'The record has changed since the named revision; the body is the current record',
  '422': 'Semantic errors; the body names each field',
  '429': 'Too many requests; see Retry-After',
};

const problemSchema = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { const: true },
    message: { type: 'string' },
    msg: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' }, index: { type: 'integer' } },
      },
    },
    requiredPrivileges: { type: 'array', items: { type: 'string' } },
  },
};

/** The OpenAPI 3.1 document of the tables. */
export function openApiDocument(tables: EndpointTable[]): Json {
  const schemas: Json = { Problem: problemSchema };
  const paths: Record<string, Json> = {};
  for (const table of tables) {
    for (const [name, endpoint] of Object.entries(table)) {
      const methods = (paths[endpoint.path] ??= {});
      methods[endpoint.method.toLowerCase()] = operationOf(name, endpoint, schemas);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Repair-Guide Documentation Service API',
      version: '2.0',
      description:
        'Guides, step forms, work log, comments, media and people. Extensions beyond the specification carry x-extension.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/2.0' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`api <token>` from POST /user/token',
        },
      },
    },
  };
}

function operationOf(name: string, endpoint: Endpoint, schemas: Json): Json {
  const tag = endpoint.path.split('/')[1] ?? '';
  return {
    operationId: `${endpoint.method.toLowerCase()}_${endpoint.path.replaceAll(/[^\w]+/g, '_').replaceAll(/^_|_$/g, '')}`,
    summary: endpoint.summary,
    tags: [tag],
    'x-name': name,
    ...(endpoint.extension === true ? { 'x-extension': true } : {}),
    ...(endpoint.access === 'public' ? { security: [{}, { token: [] }] } : {}),
    parameters: [
      ...pathParts(endpoint, schemas),
      ...queryParts(endpoint, schemas),
      ...revisionPart(endpoint),
    ],
    ...bodyPart(endpoint, schemas),
    responses: responsesOf(endpoint, schemas),
  };
}

/** Writes a zod schema as JSON Schema, moving named ones (`.meta({id})`) to components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _$schema,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  for (const [id, definition] of Object.entries($defs ?? {}))
    schemas[id] = relinked(withoutId(definition as Json));
  const named = typeof json['id'] === 'string' ? json['id'] : undefined;
  if (named === undefined) return relinked(json) as Json;
  schemas[named] = relinked(withoutId(json));
  return { $ref: `#/components/schemas/${named}` };
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest;
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, relinked(inner)],
    ),
  );
}

function pathParts(endpoint: Endpoint, schemas: Json): Json[] {
  const json = endpoint.params === undefined ? {} : schemaOf(endpoint.params, 'output', schemas);
  const properties = (json['properties'] ?? {}) as Json;
  return pathParameters(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }));
}

function queryParts(endpoint: Endpoint, schemas: Json): Json[] {
  if (endpoint.query === undefined) return [];
  const properties = (schemaOf(endpoint.query, 'input', schemas)['properties'] ?? {}) as Record<string, Json>;
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function revisionPart(endpoint: Endpoint): Json[] {
  if (endpoint.revisioned === undefined) return [];
  return [
    {
      name: 'revisionid',
      in: 'query',
      required: true,
      description: `The current revisionid of the ${endpoint.revisioned}; If-Match may carry it instead`,
      schema: { type: 'integer' },
    },
  ];
}

function bodyPart(endpoint: Endpoint, schemas: Json): Json {
  if (endpoint.consumes === 'bytes') {
    return {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  }
  if (endpoint.body === undefined) return {};
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(endpoint.body, 'input', schemas) } },
    },
  };
}

function responsesOf(endpoint: Endpoint, schemas: Json): Json {
  const success =
    endpoint.result === undefined
      ? {}
      : { content: { 'application/json': { schema: schemaOf(endpoint.result, 'input', schemas) } } };
  const answers: Json = { [endpoint.status ?? 200]: { description: 'Success', ...success } };
  for (const [status, description] of Object.entries(refusals)) {
    if (status === '409' && endpoint.revisioned === undefined) continue;
    const content =
      status === '409'
        ? {}
        : { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } };
    answers[status] = { description, ...content };
  }
  return answers;
}
