import { pathParameters, pathShape, statusesOf, type Endpoint } from '#shared/api/endpoint.ts';
import type { Evidence } from '#test/support/api-evidence.ts';

import { History, succeeded } from './history.ts';
import { resourceOf, shows } from './witness.ts';

/** What the tests show of one route. */
export interface Verdict {
  method: string;
  path: string;
  served: boolean;
  /** The route that reads it back, or null. */
  readBack: string | null;
  refusals: { status: number; shown: boolean }[];
}

/** Refusals that belong to an operation; README.md, COVERAGE-4, says why the others do not. */
const required = new Set([400, 401, 403, 404, 409, 422]);

/** Records of the table of rights are made beside the API, so that what differs there was written by nobody (COVERAGE-5). */
const beside = /^table\.test\.ts$/;

/** Evidence, ready to be asked. */
export class Evidences {
  readonly #servers = new Map<string, History>();
  readonly #routes = new Map<string, Evidence[]>();

  constructor(all: readonly Evidence[]) {
    const servers = Map.groupBy(all, (one) => one.server);
    for (const [server, ofServer] of servers) this.#servers.set(server, new History(ofServer));
    for (const [route, ofRoute] of Map.groupBy(all, (one) => `${one.method} ${one.route}`))
      this.#routes.set(route, ofRoute);
  }

  of(method: string, shape: string): readonly Evidence[] {
    return this.#routes.get(`${method} ${shape}`) ?? [];
  }

  history(server: string): History {
    return this.#servers.get(server) ?? new History([]);
  }
}

/** Judges a route of the specification by the rules of README.md. `endpoint`: what serves it. */
export function judge(route: string, endpoint: Endpoint | undefined, evidences: Evidences): Verdict {
  const [method = '', path = ''] = route.split(' ');
  if (endpoint === undefined) return { method, path, served: false, readBack: null, refusals: [] };
  const literal = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
  const own = evidences.of(method, pathShape(endpoint.path)).filter((one) => literal.test(one.path));
  const refusals = statusesOf(endpoint)
    .filter((status) => required.has(status))
    // A route spelled out in full names something that is there.
    .filter((status) => status !== 404 || pathParameters(endpoint.path).length === 0 || path.includes('{'))
    .map((status) => ({ status, shown: own.some((one) => one.status === status && one.test !== null) }));
  return { method, path, served: true, readBack: findReadBack(own.filter(succeeded), evidences), refusals };
}

export function isComplete({ served, readBack, refusals }: Verdict): boolean {
  return served && readBack !== null && refusals.every((one) => one.shown);
}

/** A witness of the same resource, if there is one; another otherwise. */
function findReadBack(successes: readonly Evidence[], evidences: Evidences): string | null {
  let other: Evidence | undefined;
  for (const success of successes) {
    if (beside.test(success.file)) continue;
    const witnesses = witnessesOf(success, evidences.history(success.server));
    const near = witnesses.find((one) => resourceOf(one) === resourceOf(success));
    if (near !== undefined) return `${near.method} ${near.route}`;
    other ??= witnesses[0];
  }
  return other === undefined ? null : `${other.method} ${other.route}`;
}

/** COVERAGE-3: a read is read back by what was written before; a write by what is read later. */
function witnessesOf(success: Evidence, history: History): Evidence[] {
  return success.reads
    ? history.writesBefore(success).filter((one) => shows(success, one, history))
    : history.after(success).filter((one) => shows(one, success, history));
}
