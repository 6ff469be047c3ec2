import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { pathShape } from '#shared/api/endpoint.ts';
import { openApiDocument } from '#shared/api/openapi/document.ts';
import { statusWords } from '#shared/api/openapi/words.ts';
import { planned } from '#shared/api/planned.ts';
import { apiPrefix } from '#server/http/mount.ts';
import { resources } from '#server/resources/index.ts';

interface Response {
  $ref?: string;
  content?: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
}

const base = 'api';
let made: Document | undefined;
let spelled: Map<string, string> | undefined;
let ajv: InstanceType<typeof Ajv2020.default> | undefined;
const validators = new Map<string, ValidateFunction>();

/** Made once per process, when first needed. */
function document(): Document {
  made ??= openApiDocument(
    resources.map(({ table }) => table),
    planned,
  ) as unknown as Document;
  return made;
}

/** Shape of a path → how the document spells it. */
function spellings(): Map<string, string> {
  spelled ??= new Map(Object.keys(document().paths).map((path) => [pathShape(path), path]));
  return spelled;
}

/**
 * Tells `report` of every answer under /api/2.0 that the OpenAPI document does not describe: a status that its
 * operation does not list, or a body that does not fit the schema of its status.
 */
export function checkDocumented(app: FastifyInstance, report: (flaw: string) => void): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const flaw = flawOf(request, reply, payload);
    if (flaw !== undefined) report(`${request.method} ${request.url}: ${flaw}`);
    return payload;
  });
}

function flawOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  if (!request.url.startsWith(`${apiPrefix}/`) || request.method === 'OPTIONS') return undefined;
  const { endpoint } = request.routeOptions.config;
  const status = reply.statusCode;
  if (endpoint === undefined) return status < 400 ? undefined : flawOfBody(refusalPointer(status), payload);
  const method = endpoint.method.toLowerCase();
  const path = spellings().get(pathShape(endpoint.path)) ?? '';
  const response = document().paths[path]?.[method]?.responses[status];
  if (response === undefined)
    return `the document of ${endpoint.method} ${endpoint.path} does not list status ${status} (statusesOf, \`refuses\`)`;
  if (response.$ref !== undefined) return flawOfBody(refusalPointer(status), payload);
  if (response.content === undefined)
    return payload == null || payload === '' ? undefined : `the document gives status ${status} no body`;
  const type = String(reply.getHeader('content-type')).split(';', 1)[0] ?? '';
  if (response.content[type] === undefined) return `the document does not list ${type} for status ${status}`;
  if (type !== 'application/json') return undefined;
  return flawOfBody(
    pointer('paths', path, method, 'responses', String(status), 'content', type, 'schema'),
    payload,
  );
}

/** Where the schema of a refusal stands that all operations share. */
function refusalPointer(status: number): string {
  const name = statusWords[status]?.name ?? 'BadRequest';
  return pointer('components', 'responses', name, 'content', 'application/json', 'schema');
}

function pointer(...parts: string[]): string {
  return parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

function flawOfBody(at: string, payload: unknown): string | undefined {
  if (typeof payload !== 'string') return `the answer is no text but ${typeof payload}`;
  const validate = validators.get(at) ?? compile(at);
  validators.set(at, validate);
  if (validate(JSON.parse(payload))) return undefined;
  const [first] = validate.errors ?? [];
  return `the answer does not fit the document: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
}

function compile(at: string): ValidateFunction {
  ajv ??= new Ajv2020.default({ strict: false, validateFormats: false }).addSchema(document(), base);
  return ajv.compile({ $ref: `${base}#${at}` });
}
