import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';

import { formBody, withConvertedTexts } from './form-body.ts';
import { entranceBytes, type Limits } from './limits.ts';
import { readBody } from './read-body.ts';
import { parseSoundJson } from './sound-json.ts';

/**
 * Parses request bodies (API facts 0.1).
 *
 * - HTTP-1 A body is parsed as JSON whatever its content type is, also if that is missing or malformed: existing
 *   clients send none, or the default of curl. The body of a file upload is taken as bytes.
 * - HTTP-3 DELETE may carry a body too.
 */
export function installBodyParser(app: FastifyInstance, { entranceMs }: Pick<Limits, 'entranceMs'>): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('slot', null);
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type'];
    // The framework would refuse a malformed content type; the parser looks at the body instead.
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const text = (await readBody(request, entranceMs)).toString('utf8').trim();
    return text === '' ? undefined : bodyOf(text, request);
  });
}

/** Default size limit of a body, bytes. */
const usualBytes = 2 * 1024 * 1024;

/**
 * The parsed body: JSON, else form fields.
 *
 * - REFUSAL-9 A body that is not valid JSON is 400. A file upload may hold anything.
 * @throws Problem 400 or 422
 */
function bodyOf(text: string, { headers, routeOptions }: FastifyRequest): unknown {
  // A batch contains the bodies of many calls.
  const times = Math.max(1, (routeOptions.bodyLimit ?? usualBytes) / usualBytes);
  try {
    return withConvertedTexts(parseSoundJson(text, times), routeOptions.config.endpoint?.body);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    if (isForm && !/^[[{"]/.test(text) && text.length > entranceBytes)
      throw new Problem('invalid', 'A form can have at most 256 KB', {
        code: 'body-too-large',
        errors: [{ field: 'body', message: 'A form can have at most 256 KB' }],
      });
    if (isForm && !/^[[{"]/.test(text)) return formBody(text, routeOptions.config.endpoint?.body);
    throw new Problem('bad-json', 'The request body is not valid JSON', { cause });
  }
}

/** `type/subtype`, with or without parameters. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/;

/**
 * Indents JSON responses if the query has `pretty`.
 *
 * - HTTP-8 `?pretty` makes a response readable and changes nothing else.
 */
export function installPretty(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || request.isCached || !isPretty(request.url)) return done(null, payload);
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload);
    reply.removeHeader('content-length');
    return done(null, prettyJson(payload));
  });
}

/** The JSON text indented. */
export function prettyJson(payload: string): string {
  return `${JSON.stringify(JSON.parse(payload), null, 2)}\n`;
}

function isPretty(url: string): boolean {
  const query = url.split('?')[1] ?? '';
  return new URLSearchParams(query).has('pretty');
}
