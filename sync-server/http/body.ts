import type { FastifyInstance } from 'fastify';

import { Problem } from '#shared/api/problem.ts';

/**
 * Bodies are JSON whatever the content type says, because existing clients send none or curl's default; form fields
 * are the fallback; endpoints that consume bytes get them untouched (API facts 0.1).
 */
export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, buffer, done) => {
    const bytes = buffer as Buffer;
    if (request.routeOptions.config.endpoint?.consumes === 'bytes') return done(null, bytes);
    const text = bytes.toString('utf8').trim();
    if (text === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(text));
    } catch (cause) {
      const type = request.headers['content-type'] ?? '';
      if (type.startsWith('application/x-www-form-urlencoded') && !/^[[{"]/.test(text)) {
        return done(null, Object.fromEntries(new URLSearchParams(text)));
      }
      return done(new Problem('bad-json', 'The request body is not valid JSON', { cause }), undefined);
    }
  });
}

/** `?pretty` answers readable JSON. */
export function installPretty(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !isPretty(request.url)) return payload;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload;
    reply.removeHeader('content-length');
    return `${JSON.stringify(JSON.parse(payload), null, 2)}\n`;
  });
}

function isPretty(url: string): boolean {
  const query = url.split('?')[1] ?? '';
  return new URLSearchParams(query).has('pretty');
}
