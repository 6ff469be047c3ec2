import type { Json } from './examples.ts';
import { type ProblemCode, problemCodes, problemFields, problemStatus } from '../problem.ts';
import { statusWords } from './words.ts';

const message = { type: 'string', description: 'What was refused and why, for a person' };
const fields = {
  error: { const: true },
  message,
  msg: { type: 'string', description: 'The message again, for the oldest client' },
  code: {
    type: 'string',
    enum: [...problemCodes],
    description: 'What was refused, for programs; later servers may have more of them',
  },
  request: { type: 'string', description: 'Below `/sync/1`: the id that the request gave itself' },
};

/** Bodies of refusals. */
export const problemSchemas: Json = {
  Problem: {
    type: 'object',
    required: ['error', 'message', 'msg', 'code'],
    properties: {
      ...fields,
      requestid: { type: 'string', description: 'Of a failure: the name of the request in the log' },
    },
    additionalProperties: false,
  },
  PrivilegeProblem: {
    type: 'object',
    required: ['error', 'message', 'msg', 'code'],
    properties: {
      ...fields,
      requiredPrivileges: {
        type: 'array',
        items: { type: 'string' },
        description: 'Privileges of which one would do',
      },
    },
    additionalProperties: false,
  },
  FieldProblem: {
    type: 'object',
    required: ['error', 'message', 'msg', 'code', 'errors'],
    properties: {
      ...fields,
      errors: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: {
            field: { type: 'string', description: 'Path of the field, joined by dots' },
            message,
            index: { type: 'integer', description: 'Which element of a list, from 0' },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
};

const schemaOfStatus: Record<number, string> = { 403: 'PrivilegeProblem', 422: 'FieldProblem' };
const examples: Record<number, Json> = {
  403: { ...refusal('Insufficient privileges', 'forbidden'), requiredPrivileges: ['Admin'] },
  422: {
    ...refusal('Validation failed', 'invalid'),
    errors: [{ field: 'steps.0.lines.1.text', message: 'Line 2 is too long', index: 1 }],
  },
};

function refusal(text: string, code: ProblemCode): Json {
  return { ...problemFields(text, code) };
}

function codeOf(status: number): ProblemCode {
  const found = Object.entries(problemStatus).find(([, one]) => one === status);
  return (found?.[0] as ProblemCode | undefined) ?? 'server-error';
}

function responseOf(status: number, words: string): Json {
  const name = schemaOfStatus[status] ?? 'Problem';
  const retry = status === 429 || status === 503 ? { 'Retry-After': ref('headers', 'RetryAfter') } : {};
  const allow = status === 405 ? { Allow: ref('headers', 'Allow') } : {};
  return {
    description: words,
    headers: { 'X-Request-Id': ref('headers', 'RequestId'), ...retry, ...allow },
    content: {
      'application/json': {
        schema: ref('schemas', name),
        example: examples[status] ?? refusal(words, codeOf(status)),
      },
    },
  };
}

function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A parameter shared by many operations. */
function parameter(name: string, place: 'header' | 'query', words: string, schema: Json): Json {
  return { name, in: place, required: false, description: words, schema };
}

/** The parts of the document that do not depend on the tables. */
export const fixedComponents: Json = {
  responses: Object.fromEntries(
    Object.entries(statusWords).map(([status, { name, description }]) => [
      name,
      responseOf(Number(status), description),
    ]),
  ),
  parameters: {
    IdempotencyKey: parameter(
      'Idempotency-Key',
      'header',
      'Makes a repeated request have its effect once; the repetition answers with the record as it is now',
      { type: 'string', pattern: '^[\\w-]{8,64}$' },
    ),
    IfMatch: parameter('If-Match', 'header', 'The revisionid, or the ETag of a GET, instead of the query', {
      type: 'string',
    }),
    IfMatchTag: parameter(
      'If-Match',
      'header',
      'The ETag of a GET, at the same address unless the operation says another',
      { type: 'string' },
    ),
    IfNoneMatch: parameter('If-None-Match', 'header', 'The ETag of an answer that the caller has', {
      type: 'string',
    }),
    Pretty: parameter('pretty', 'query', 'Answer readable JSON; on when present', { type: 'string' }),
    RequestId: parameter(
      'X-Request-Id',
      'header',
      "The caller's own name for the request, echoed and logged",
      {
        type: 'string',
        pattern: '^[\\w.:-]{4,64}$',
      },
    ),
  },
  headers: {
    ETag: {
      description: 'Names this answer; of a versioned record it begins with the revisionid',
      schema: { type: 'string' },
    },
    Link: { description: 'Addresses of the first, prev, next and last page', schema: { type: 'string' } },
    TotalCount: { description: 'Records of the whole list', schema: { type: 'integer' } },
    IdempotencyReplayed: {
      description: 'true: the request was performed before',
      schema: { type: 'string', enum: ['true'] },
    },
    Allow: { description: 'Verbs that the path has', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' } },
    RequestId: { description: 'The name of the request in the log', schema: { type: 'string' } },
  },
  securitySchemes: {
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`api <token>`, from POST /user/token',
    },
    appId: {
      type: 'apiKey',
      in: 'header',
      name: 'X-App-Id',
      description:
        'The id of the calling program, issued by an administrator (`POST /site/app_ids`). Only registering and signing in ' +
        'need it, and only on a site where anybody may register; without a valid one they answer 400',
    },
  },
};
