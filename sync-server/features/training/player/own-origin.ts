import type { FastifyRequest } from 'fastify';

import { notFound, Problem } from '#shared/api/problem.ts';
import type { Services } from '#server/core/services.ts';

import { sessionOf, type PlaySession } from './sessions.ts';

/** The session of a token, only at the origin of its module, so that no module can use another's session. */
export async function sessionHere(
  services: Services,
  request: FastifyRequest,
  token: string,
): Promise<PlaySession> {
  const session = await sessionOf(services, token);
  originHere(services, request, session);
  return session;
}

/**
 * The header `Host`. `X-Forwarded-Host` is ignored, because a module can send it to its own origin; proxies pass
 * `Host`.
 */
export function hostOf({ headers }: FastifyRequest): string {
  return headers.host ?? '';
}

/** The origin of a module, as reached by this browser. Throws 404 if it is not the module's own. */
export function originHere(services: Services, request: FastifyRequest, { moduleid }: PlaySession): string {
  const origin = services.training.origins.at(moduleid, hostOf(request));
  if (origin === null) throw notFound('Page');
  return origin;
}

/**
 * Refuses to show a module outside its frame, if the browser reports that, and refuses service workers, because their
 * pages would not have this server's policies.
 */
export function refuseOutside({ headers }: FastifyRequest): void {
  const kind = headers['sec-fetch-dest'];
  if (kind === 'document' || kind === 'embed' || kind === 'object')
    throw new Problem('forbidden', 'Modules can be shown only in Benchbook. Open this one there');
  if (headers['service-worker'] !== undefined)
    throw new Problem('forbidden', 'Modules have no service workers');
}
