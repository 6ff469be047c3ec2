import { readFileSync } from 'node:fs';

import type { Endpoint } from '#shared/api/endpoint.ts';
import { resources } from '#server/features/index.ts';

/** Every endpoint of the contract, by `METHOD /path`. */
export const endpoints: [route: string, endpoint: Endpoint][] = resources
  .flatMap(({ table }) => Object.values(table))
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]);

/** The routes that the specification lists. */
export const specifiedRoutes = (
  JSON.parse(readFileSync(new URL('../fixtures/api-2.0-routes.json', import.meta.url), 'utf8')) as {
    routes: string[];
  }
).routes;

/** A path with `value` for every parameter. */
export function filled(path: string, value: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
}
