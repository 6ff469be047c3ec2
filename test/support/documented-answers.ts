import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { pathShape } from '#shared/api/endpoint.ts';
import { openApiDocument } from '#shared/api/openapi/document.ts';
import { statusWords } from '#shared/api/openapi/words.ts';
import { apiPrefix } from '#server/http/mount.ts';
import { resources } from '#server/features/index.ts';

const response = z.looseObject({
  $ref: z.string().optional(),
  content: z.record(z.string(), z.unknown()).optional(),
});
const operation = z.looseObject({ responses: z.record(z.string(), response) });
const documentShape = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

const base = 'api';
let made: z.output<typeof documentShape> | undefined;
let spelled: Map<string, string> | undefined;
let ajv: InstanceType<typeof Ajv2020.default> | undefined;
const validators = new Map<string, ValidateFunction>();

/** Generated once per process, on first use. */
function document(): z.output<typeof documentShape> {
  made ??= documentShape.parse(openApiDocument(resources.map(({ table }) => table)));
  return made;
}

/** Shape of a path → the path in the document. */
function spellings(): Map<string, string> {
  spelled ??= new Map(Object.keys(document().paths).map((path) => [pathShape(path), path]));
  return spelled;
}

/**
 * Reports every response of the API and of sync that the OpenAPI document does not describe: a status that its
 * operation does not list, or a body that does not match the schema of its status.
 */
export function checkDocumented(app: FastifyInstance, report: (flaw: string) => void): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const flaw = flawOf(request, reply, payload);
    if (flaw !== undefined) report(`${request.method} ${request.url}: ${flaw}`);
    return payload;
  });
}

function flawOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  const { config } = request.routeOptions;
  const endpoint = config.endpoint ?? config.documented;
  const isOurs = request.url.startsWith(`${apiPrefix}/`) || endpoint !== undefined;
  if (!isOurs || request.method === 'OPTIONS') return undefined;
  const status = reply.statusCode;
  if (endpoint === undefined) return status < 400 ? undefined : flawOfBody(refusalPointer(status), payload);
  const method = endpoint.method.toLowerCase();
  const path = spellings().get(pathShape(endpoint.path)) ?? '';
  const described = document().paths[path]?.[method]?.responses[status];
  if (described === undefined)
    return [
      `the OpenAPI document of ${endpoint.method} ${endpoint.path} does not list status ${status}.`,
      `If the status is meant, declare it at the endpoint in shared/api: \`status\` is that of success; \`refuses\``,
      `lists every refusal of 400, 403, 404, 410, 412, 413 and 426 that can occur; \`statusesOf\` derives all others`,
    ].join(' ');
  if (described.$ref !== undefined) return flawOfBody(refusalPointer(status), payload);
  if (described.content === undefined)
    return payload == null || payload === '' ? undefined : `the document gives status ${status} no body`;
  const type = String(reply.getHeader('content-type')).split(';', 1)[0] ?? '';
  if (described.content[type] === undefined)
    return `the OpenAPI document does not list ${type} for status ${status}: declare it in \`produces\``;
  if (type !== 'application/json') return undefined;
  return flawOfBody(
    pointer('paths', path, method, 'responses', String(status), 'content', type, 'schema'),
    payload,
  );
}

/** JSON pointer to the schema of a refusal that all operations share. */
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
  const text = Buffer.isBuffer(payload) ? payload.toString() : payload;
  if (typeof text !== 'string') return `the answer is no text but ${typeof text}`;
  const validate = validators.get(at) ?? compile(at);
  validators.set(at, validate);
  if (validate(JSON.parse(text))) return undefined;
  const [first] = validate.errors ?? [];
  return `the answer does not fit the document: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
}

function compile(at: string): ValidateFunction {
  ajv ??= new Ajv2020.default({ strict: false, validateFormats: false }).addSchema(document(), base);
  return ajv.compile({ $ref: `${base}#${at}` });
}
