import type { FastifyRequest } from 'fastify';

import { requestName } from '#shared/sync/wire.ts';

/** What a request to `/sync/1` calls itself, for its answer to repeat (sync README, F19); nothing for any other. */
export function nameOf({ routeOptions, query }: FastifyRequest): { request?: string } {
  // By what was found: an address may be escaped.
  if (routeOptions.url?.startsWith('/sync/') !== true) return {};
  const { data: request } = requestName.safeParse(
    (query as Record<string, unknown> | undefined)?.['request'],
  );
  return request === undefined ? {} : { request };
}
