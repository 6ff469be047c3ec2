import { pathParameters, pathShape, statusesOf, type Endpoint } from '#shared/api/endpoint.ts';
import type { Evidence } from '#test/support/api-evidence.ts';

/** What the tests show of one route. */
export interface Verdict {
  method: string;
  path: string;
  served: boolean;
  /** The route that reads it back, or null. */
  readBack: string | null;
  refusals: { status: number; shown: boolean }[];
}

const looked = [401, 403, 404, 409, 422];

/** Judges a route of the specification by the rules of README.md. `endpoint`: what serves it. */
export function judge(route: string, endpoint: Endpoint | undefined, evidence: readonly Evidence[]): Verdict {
  const [method = '', path = ''] = route.split(' ');
  if (endpoint === undefined) return { method, path, served: false, readBack: null, refusals: [] };
  const literal = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
  const shape = pathShape(endpoint.path);
  const own = evidence.filter(
    (one) => one.method === method && one.route === shape && literal.test(one.path),
  );
  const refusals = statusesOf(endpoint)
    .filter((status) => looked.includes(status))
    // A route spelled out in full names something that is there.
    .filter((status) => status !== 404 || pathParameters(endpoint.path).length === 0 || path.includes('{'))
    .map((status) => ({ status, shown: own.some((one) => one.status === status && one.test !== null) }));
  const successes = own.filter((one) => one.status >= 200 && one.status < 300);
  return { method, path, served: true, readBack: findReadBack(successes, evidence), refusals };
}

export function isComplete({ served, readBack, refusals }: Verdict): boolean {
  return served && readBack !== null && refusals.every((one) => one.shown);
}

function findReadBack(successes: Evidence[], evidence: readonly Evidence[]): string | null {
  for (const success of successes) {
    const at = evidence.indexOf(success);
    const others = evidence.filter(
      (one, index) =>
        one.server === success.server &&
        `${one.method} ${one.route}` !== `${success.method} ${success.route}` &&
        (success.method === 'GET' ? index < at : index > at),
    );
    const witnesses = others.filter((one) =>
      success.method === 'GET' ? wrote(one, success) : shows(one, success),
    );
    const witness = witnesses.find((one) => resourceOf(one) === resourceOf(success)) ?? witnesses[0];
    if (witness !== undefined) return `${witness.method} ${witness.route}`;
  }
  return null;
}

/** C3: an earlier write that named what a read asks for, or, where it asks for nothing by id, what it answered. */
function wrote(write: Evidence, read: Evidence): boolean {
  if (write.method === 'GET' || write.status >= 300) return false;
  if (read.route.startsWith('/user/') && read.caller === write.caller) return true;
  const names = new Set([...write.sent, ...write.answered]);
  const asksById = read.sent.some((name) => /^\w+id=/.test(name));
  return (
    sharesName(names, read.sent, read.route) || (!asksById && sharesName(names, read.answered, read.route))
  );
}

function resourceOf({ route }: Evidence): string | undefined {
  return route.split('/')[1]?.replace(/s$/, '');
}

/** C2: a later GET that shows what a write did. */
function shows(read: Evidence, write: Evidence): boolean {
  if (read.method !== 'GET' && !(read.route === '/user/token' && read.status === 201)) return false;
  const names = new Set([...write.sent, ...write.answered]);
  if (write.method !== 'DELETE')
    return read.status < 300 && sharesName(names, [...read.answered, ...read.sent], write.route);
  if (write.route === '/user/token') return read.status === 401 && read.caller === write.caller;
  if (read.status === 404) return sharesName(new Set(write.sent), read.sent, write.route);
  if (read.status !== 200) return false;
  const isItsList = write.route.replace(/\/[^/]*$/, '').replace(/\/tag$/, '/tags') === read.route;
  return isItsList
    ? !sharesName(new Set(write.sent), read.answered, write.route)
    : sharesName(names, [...read.answered, ...read.sent], write.route);
}

/** The caller's id is in nearly every answer: it counts only where people are the matter. */
function sharesName(names: ReadonlySet<string>, others: string[], route: string): boolean {
  const isOfPeople = /^\/(?:users?|teams)(?:\/|$)/.test(route);
  return others.some(
    (name) => names.has(name) && (isOfPeople || !/^(?:user|author|owner|team)id=/.test(name)),
  );
}
