import type { IncomingMessage } from 'node:http';

import { apiPrefix, rootedPath, type Endpoint } from '#shared/api/endpoint.ts';

const singular = `${apiPrefix}/guide/`;

/**
 * The address as the contract spells it: clients use `/guide/…` and `/guides/…` alike. `/guide/{guideid}/public` is
 * the contract's own spelling.
 */
export function contractUrl(url: string): string {
  if (!url.startsWith(singular)) return url;
  const rest = url.slice(singular.length);
  return /^[^/?]+\/public\/?(?:\?|$)/.test(rest) ? url : `${apiPrefix}/guides/${rest}`;
}

const meantVerbs: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Gives a POST of the API the verb that it stands for. Phone apps send every write as a POST and name the verb in
 * `X-HTTP-Method-Override`, because their HTTP library knows no PATCH.
 */
export function takeMeantVerb(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): void {
  if (request.method !== 'POST' || request.url?.startsWith(`${apiPrefix}/`) !== true) return;
  const meant = String(request.headers['x-http-method-override'] ?? '')
    .trim()
    .toUpperCase();
  if (meantVerbs.has(meant)) request.method = meant;
}

/** Parameters that are titles and words; an address or id with a plus in it has no other reading. */
const spaced = new Set(['title', 'categoryname', 'query', 'search']);

/**
 * What the path may name, the likeliest first. Java's URLEncoder writes a space as `+` and a plus as `%2B` (API facts
 * 4), others write a plus as it is: only the path that was sent can tell them apart.
 */
export function paramReadings(
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
