import type { IncomingMessage } from 'node:http';

import { apiPrefix, rootedPath, type Endpoint } from '#shared/api/endpoint.ts';

const singular = `${apiPrefix}/guide/`;

/**
 * The address in the spelling of the contract. `/guide/{guideid}/public` is the contract's own spelling.
 *
 * - LIST-8 `/guide` and `/guides` are the same path.
 */
export function contractUrl(url: string): string {
  if (!url.startsWith(singular)) return url;
  const rest = url.slice(singular.length);
  return /^[^/?]+\/public\/?(?:\?|$)/.test(rest) ? url : `${apiPrefix}/guides/${rest}`;
}

const overridingMethods: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Replaces the method of a POST.
 *
 * - HTTP-18 A POST with `X-HTTP-Method-Override: PATCH` (or PUT, DELETE) has that method. Phone apps send every write
 *   as POST, because their HTTP library does not support PATCH.
 */
export function overrideMethod(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): void {
  if (request.method !== 'POST' || request.url?.startsWith(`${apiPrefix}/`) !== true) return;
  const method = String(request.headers['x-http-method-override'] ?? '')
    .trim()
    .toUpperCase();
  if (overridingMethods.has(method)) request.method = method;
}

/** Parameters that are titles or search words; only these can contain spaces. */
const spaced = new Set(['title', 'categoryname', 'query', 'search']);

/**
 * Candidate parameters of a path, most likely first. Java's URLEncoder writes a space as `+` and a plus as `%2B` (API
 * facts 4); other clients write a plus as it is. `url`: the path as sent, because only that shows the difference.
 * `literal`: the parameters with every plus taken as a plus.
 *
 * - HTTP-17 A `+` in a title or search words in the path is a space, as Java writes it. If that is 404, it is a plus.
 */
export function paramCandidates(
  endpoint: Endpoint,
  url: string,
  literal: Record<string, string>,
): Record<string, string>[] {
  const path = url.split('?', 1)[0] ?? '';
  if (!path.includes('+')) return [literal];
  const pattern = rootedPath(endpoint).split('/');
  const found = path.split('/').flatMap((part, index): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(pattern[index] ?? '')?.[1];
    if (name === undefined || !spaced.has(name) || !part.includes('+') || /@|%40/.test(part)) return [];
    return [[name, decodeURIComponent(part.replaceAll('+', ' '))]];
  });
  return found.length === 0 ? [literal] : [{ ...literal, ...Object.fromEntries(found) }, literal];
}
