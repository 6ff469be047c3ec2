import { isRemembered, isStream, pathParameters, type Endpoint } from '../endpoint.ts';
import { exampleOf, type Json } from './examples.ts';
import { nameOf, schemaOf } from './schemas.ts';
import { fieldWords } from './field-words.ts';
import { parameterWords } from './words.ts';

/**
 * The parameters of an operation. `spelled`: its path as the document spells it. Named schemas are added to `schemas`.
 */
export function parametersOf(endpoint: Endpoint, spelled: string, schemas: Json): Json[] {
  return [
    ...pathParts(endpoint, spelled, schemas),
    ...queryParts(endpoint, schemas),
    ...uploadParts(endpoint),
    ...revisionPart(endpoint),
    ...commonParts(endpoint),
  ];
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
      description: `The current revisionid of the ${nameOf(record)}; If-Match may carry it instead`,
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

/** The `requestBody` of an operation; empty without one. */
export function bodyOf(endpoint: Endpoint, schemas: Json): Json {
  if (endpoint.consumes === 'bytes') {
    const types = ['application/octet-stream', ...(endpoint.files ?? [])];
    const file = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file } };
    return {
      requestBody: {
        description:
          'The bytes of the file as they are, 80 MB at most (a site may allow less). The server recognises ' +
          'the type of the file by its bytes, regardless of the content type',
        required: true,
        content: Object.fromEntries(
          types.map((type) => [type, { schema: type === 'multipart/form-data' ? form : file }]),
        ),
      },
    };
  }
  if (endpoint.body === undefined) return {};
  const schema = schemaOf(endpoint.body, 'input', schemas);
  describeFields(schema, schemas, endpoint.path.split('/').at(-1) ?? '', new Set());
  const mayBeEmpty = endpoint.body.safeParse({}).success;
  const example = exampleOf(schema, schemas);
  const content = {
    'application/json': { schema, example },
    'application/x-www-form-urlencoded': { schema },
  };
  return { requestBody: { required: !mayBeEmpty, content } };
}

/**
 * Adds a description to each field of a body that has none, also in the components to which it refers. `parent`: the
 * name of the field that holds the schema; of a whole body the end of its path.
 */
function describeFields(schema: unknown, components: Json, parent: string, seen: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { $ref, properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema as BodySchema;
  const component = $ref?.split('/').at(-1);
  if (component !== undefined && !seen.has(component))
    describeFields(components[component], components, parent, seen.add(component));
  for (const [name, field] of Object.entries(properties)) {
    const words = fieldWords[`${parent}.${name}`] ?? fieldWords[name];
    if (field['description'] === undefined && words !== undefined) field['description'] = words;
    describeFields(field, components, name, seen);
  }
  for (const part of [items, additionalProperties, ...anyOf, ...oneOf])
    describeFields(part, components, parent, seen);
}

interface BodySchema {
  $ref?: string;
  properties?: Record<string, Json>;
  items?: unknown;
  additionalProperties?: unknown;
  anyOf?: unknown[];
  oneOf?: unknown[];
}
