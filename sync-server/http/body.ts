import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';

import { formBody, withMeantNumbers } from './form-body.ts';
import { entranceBytes, type Limits } from './limits.ts';
import { readBody } from './read-body.ts';
import { parseSoundJson } from './sound-json.ts';

/**
 * Bodies are JSON whatever the content type says, because existing clients send none or curl's default; form fields
 * are the fallback; endpoints that consume bytes get them untouched (API facts 0.1).
 */
export function installBodyParser(app: FastifyInstance, { entranceMs }: Pick<Limits, 'entranceMs'>): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('place', null);
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type'];
    // The framework refuses what it cannot read; what a body is shows in the body.
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const text = (await readBody(request, entranceMs)).toString('utf8').trim();
    return text === '' ? undefined : bodyOf(text, request);
  });
}

/** The size that bodies may have where a route does not say another. */
const usualBytes = 2 * 1024 * 1024;

/** What the text of a body says. Throws a `Problem` when it says nothing that can be read. */
function bodyOf(text: string, { headers, routeOptions }: FastifyRequest): unknown {
  // A batch holds the bodies of many calls.
  const times = Math.max(1, (routeOptions.bodyLimit ?? usualBytes) / usualBytes);
  try {
    return withMeantNumbers(parseSoundJson(text, times), routeOptions.config.endpoint?.body);
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

/** `?pretty` answers readable JSON. */
export function installPretty(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || request.kept || !isPretty(request.url)) return done(null, payload);
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload);
    reply.removeHeader('content-length');
    return done(null, prettyJson(payload));
  });
}

/** JSON as people read it. */
export function prettyJson(payload: string): string {
  return `${JSON.stringify(JSON.parse(payload), null, 2)}\n`;
}

function isPretty(url: string): boolean {
  const query = url.split('?')[1] ?? '';
  return new URLSearchParams(query).has('pretty');
}
