import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { pathShape, statusesOf, type Endpoint } from '#shared/api/endpoint.ts';
import { surface } from '#shared/api/surface.ts';

/** Refusals that depend on the operation; 405, 410, 429, 500 and 503 are the same for a path or for the whole server. */
const refusalsOfOperations = new Set([400, 401, 403, 404, 409, 422]);

/** The answers that this process has noted, by folder. */
const notedIn = new Map<string, Set<string>>();

function answerOf({ method, path }: Pick<Endpoint, 'method' | 'path'>, status: number | 'success'): string {
  return `${method} ${pathShape(path)} ${status}`;
}

/** Notes in a file of `folder` which endpoint of the API answered which status (`POST /guides 422`). */
export function noteStatuses(app: FastifyInstance, folder: string): void {
  const noted = notedIn.get(folder) ?? new Set();
  notedIn.set(folder, noted);
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint === undefined || request.method === 'HEAD') return;
    const { statusCode } = reply;
    const answer = answerOf(endpoint, statusCode >= 200 && statusCode < 300 ? 'success' : statusCode);
    if (noted.has(answer)) return;
    noted.add(answer);
    appendFileSync(join(folder, `${process.pid}.txt`), `${answer}\n`);
  });
}

/** What all processes of a run noted in `folder`. */
export function readStatuses(folder: string): Set<string> {
  return new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')));
}

/** The endpoints of the contract. */
export function contract(): Endpoint[] {
  return Object.values(surface).flatMap((table): Endpoint[] => Object.values(table));
}

/**
 * The answers that are missing in `answered`: a success of each endpoint, and each refusal that the OpenAPI document lists
 * for an operation of the specification.
 */
export function missingAnswers(endpoints: readonly Endpoint[], answered: ReadonlySet<string>): string[] {
  return endpoints
    .flatMap((endpoint) => {
      const refusals = statusesOf(endpoint).filter((status) => refusalsOfOperations.has(status));
      const expected = ['success' as const, ...(endpoint.extension === true ? [] : refusals)];
      return expected.map((status) => answerOf(endpoint, status));
    })
    .filter((answer) => !answered.has(answer));
}
