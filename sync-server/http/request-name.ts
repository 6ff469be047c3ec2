import type { FastifyRequest } from 'fastify';

import { requestName } from '#shared/sync/wire.ts';

/** The name that a request to `/sync/1` gives itself, for its answer to repeat (sync README, FEED-19); none for others. */
export function nameOf({ routeOptions, query }: FastifyRequest): { request?: string } {
  // Checked by the matched route, because an address may be escaped.
  if (routeOptions.url?.startsWith('/sync/') !== true) return {};
  const { data: request } = requestName.safeParse(
    (query as Record<string, unknown> | undefined)?.['request'],
  );
  return request === undefined ? {} : { request };
}
