import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { expect } from 'vitest';

import { pathShape } from '#shared/api/endpoint.ts';
import { apiPrefix } from '#server/http/mount.ts';

/** What one answer of the API in a test shows (test/api-coverage/README.md). */
export interface Evidence {
  /** One running server: records of different servers are never the same. */
  server: string;
  file: string;
  /** null: before or after the tests. */
  test: string | null;
  method: string;
  /** Shape of the endpoint's path, and the path as it was called. */
  route: string;
  path: string;
  status: number;
  /** Whose token, as a hash. */
  caller: string;
  /** Ids and texts that the request names: parameters and body. */
  sent: string[];
  /** Ids and texts that the answer holds. */
  answered: string[];
}

/** Words that say what kind of thing a record is, not which. */
const kinds = new Set([
  'type',
  'bullet',
  'difficulty',
  'langid',
  'locale',
  'namespace',
  'status',
  'context',
  'dataType',
  'order',
  'field_type',
]);
const most = 2000;

function isJson(reply: FastifyReply, payload: unknown): payload is string {
  const type = String(reply.getHeader('content-type'));
  return typeof payload === 'string' && payload !== '' && type.startsWith('application/json');
}

/** Writes what answers show into files of `folder`, one per server. */
export function collectEvidence(app: FastifyInstance, folder: string): void {
  const server = randomUUID();
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) appendFileSync(join(folder, `${server}.jsonl`), lines.join(''));
    lines = [];
  };
  app.addHook('onSend', async (request, reply, payload) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined || request.method === 'HEAD') return payload;
    const { currentTestName = null, testPath = '' } = expect.getState();
    const evidence: Evidence = {
      server,
      file: testPath.split('/').at(-1) ?? '',
      test: currentTestName,
      method: endpoint.method,
      route: pathShape(endpoint.path),
      path: decoded(request.url.split('?', 1)[0] ?? '').slice((endpoint.root ?? apiPrefix).length),
      status: reply.statusCode,
      caller: createHash('sha256')
        .update(request.headers.authorization ?? '')
        .digest('hex')
        .slice(0, 8),
      sent: [...new Set([...namesIn(request.params), ...namesIn(request.query), ...namesOfBody(request)])],
      answered: namesIn(isJson(reply, payload) ? JSON.parse(payload) : undefined),
    };
    lines.push(`${JSON.stringify(evidence)}\n`);
    if (lines.length > 200) flush();
    return payload;
  });
  app.addHook('onClose', async () => flush());
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function namesOfBody(request: FastifyRequest): string[] {
  return request.body instanceof Uint8Array ? [] : namesIn(request.body);
}

/** `guideid=61` for every id, and every text that is no mere kind. */
function namesIn(value: unknown, key = '', found = new Set<string>()): string[] {
  if (found.size > most) return [...found];
  if (Array.isArray(value)) for (const item of value) namesIn(item, key, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      // Maps from titles or ids to something: the keys are the data.
      if (!/^[a-z_\d]+$/.test(name)) found.add(name);
      namesIn(inner, name === 'id' && key !== '' ? `${key}id` : name, found);
    }
  else if (/ids?$/i.test(key) && /^\d+$/.test(String(value)))
    found.add(`${key.replace(/s$/, '')}=${String(value)}`);
  else if (typeof value === 'string' && value.length > 3 && value.length < 500 && !kinds.has(key))
    found.add(value);
  return [...found];
}
