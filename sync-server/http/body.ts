import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';

import { parseSoundJson, soundText } from './sound-json.ts';

/**
 * Bodies are JSON whatever the content type says, because existing clients send none or curl's default; form fields
 * are the fallback; endpoints that consume bytes get them untouched (API facts 0.1).
 */
export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async ({ headers }) => {
    const type = headers['content-type'];
    // The framework refuses what it cannot read; what a body is shows in the body.
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream';
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, buffer, done) => {
    const bytes = buffer as Buffer;
    if (request.routeOptions.config.endpoint?.consumes === 'bytes') return done(null, bytes);
    const text = bytes.toString('utf8').trim();
    if (text === '') return done(null, undefined);
    try {
      return done(null, parseSoundJson(text));
    } catch (cause) {
      if (cause instanceof Problem) return done(cause, undefined);
      const type = request.headers['content-type'] ?? '';
      if (type.startsWith('application/x-www-form-urlencoded') && !/^[[{"]/.test(text)) {
        return done(null, typedFields(text, request.routeOptions.config.endpoint?.body));
      }
      return done(new Problem('bad-json', 'The request body is not valid JSON', { cause }), undefined);
    }
  });
}

/** `type/subtype`, with or without parameters. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/;

/** Form fields are texts; where the endpoint wants a number or a switch, they become one. */
function typedFields(text: string, schema: z.ZodType | undefined): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.fromEntries(new URLSearchParams(soundText(text)));
  for (const issue of schema?.safeParse(fields).error?.issues ?? []) {
    const [name, ...inner] = issue.path;
    if (issue.code !== 'invalid_type' || typeof name !== 'string' || inner.length > 0) continue;
    const value = fields[name];
    if (issue.expected === 'boolean' && /^(?:true|false|1|0)$/.test(String(value)))
      fields[name] = value === 'true' || value === '1';
    else if (issue.expected !== 'boolean' && /^-?\d+(?:\.\d+)?$/.test(String(value)))
      fields[name] = Number(value);
  }
  return fields;
}

/** `?pretty` answers readable JSON. */
export function installPretty(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || request.kept || !isPretty(request.url)) return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    reply.removeHeader('content-length');
    return `${JSON.stringify(JSON.parse(payload), null, 2)}\n`;
  });
}

function isPretty(url: string): boolean {
  const query = url.split('?')[1] ?? '';
  return new URLSearchParams(query).has('pretty');
}
