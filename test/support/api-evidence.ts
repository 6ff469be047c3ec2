import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance, FastifyReply } from 'fastify';
import { expect } from 'vitest';

import { isRead, pathShape } from '#shared/api/endpoint.ts';
import { apiPrefix } from '#server/http/mount.ts';

/** What one answer of the API in a test shows (test/api-coverage/README.md). */
export interface Evidence {
  /** One running server: records of different servers are never the same. */
  server: string;
  file: string;
  /** null: before or after the tests. */
  test: string | null;
  method: string;
  /** Whether the call has no effect. */
  reads: boolean;
  /** Shape of the endpoint's path; the path and the query as they were called. */
  route: string;
  path: string;
  query: string;
  status: number;
  /** Whose token, as a hash; and of the token that the answer gives. */
  caller: string;
  grants: string | null;
  /** Ids and texts of the path, and those of path, query and body together. */
  named: string[];
  sent: string[];
  /** `field=value` of body and query. */
  said: string[];
  /** Ids and texts that the answer holds. */
  answered: string[];
  /** Every record of the answer, by each of its ids: `field=value` of all that is in it. */
  records: Record<string, string[]>;
  /** Hash of the answer. */
  digest: string;
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
const mostRecords = 300;

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
    const { currentTestName = null, testPath = '' } = expect.getState();
    const isOdd = /robust|fuzz/.test(testPath);
    if (endpoint === undefined || request.method === 'HEAD' || isOdd) return payload;
    const answer: unknown = isJson(reply, payload) ? JSON.parse(payload) : undefined;
    const body: unknown = request.body instanceof Uint8Array ? undefined : request.body;
    const query = request.query as Record<string, unknown>;
    const evidence: Evidence = {
      server,
      file: testPath.split('/').at(-1) ?? '',
      test: currentTestName,
      method: endpoint.method,
      route: pathShape(endpoint.path),
      reads: isRead(endpoint),
      path: decoded(request.url.split('?', 1)[0] ?? '').slice((endpoint.root ?? apiPrefix).length),
      query: request.url.split('?')[1] ?? '',
      status: reply.statusCode,
      caller: shortHash(tokenIn(request.headers.authorization)),
      grants: tokenOf(answer),
      named: namesIn(request.params),
      sent: [...new Set([...namesIn(request.params), ...namesIn(query), ...namesIn(body)])],
      said: [...leavesOf(body), ...leavesOf(query)].filter((one) => !/^\w*revisionid=/.test(one)),
      answered: namesIn(answer),
      records: recordsIn(answer),
      digest: shortHash(typeof payload === 'string' ? payload : ''),
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

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The token of an Authorization header, whatever its scheme. */
function tokenIn(header = ''): string {
  return header.split(' ').at(-1) ?? '';
}

function tokenOf(answer: unknown): string | null {
  return typeof answer === 'object' && answer !== null && 'authToken' in answer
    ? shortHash(String(answer.authToken))
    : null;
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

/** `field=value` of everything inside, however deep; long values as a hash. */
function leavesOf(value: unknown, key = '', found = new Set<string>()): string[] {
  if (found.size > most) return [...found];
  if (Array.isArray(value)) for (const item of value) leavesOf(item, key, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) leavesOf(inner, name, found);
  else if (value !== undefined) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    found.add(`${key}=${text.length > 60 ? shortHash(text) : text}`);
  }
  return [...found];
}

/** The records of an answer by their ids; one with several ids counts under each. */
function recordsIn(value: unknown, key = '', found: Record<string, string[]> = {}): Record<string, string[]> {
  if (Object.keys(found).length > mostRecords) return found;
  if (Array.isArray(value)) for (const item of value) recordsIn(item, key, found);
  else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const ids = fields.flatMap(([name, inner]) => {
      const field = name === 'id' && key !== '' ? `${key}id` : name;
      return /id$/i.test(field) && /^\d+$/.test(String(inner)) ? [`${field}=${String(inner)}`] : [];
    });
    const leaves = ids.length === 0 ? [] : leavesOf(value, key);
    for (const id of ids) found[id] = [...new Set([...(found[id] ?? []), ...leaves])];
    for (const [name, inner] of fields) recordsIn(inner, name, found);
  }
  return found;
}
