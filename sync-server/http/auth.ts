import type { FastifyRequest } from 'fastify';

import type { Services } from '#server/core/services.ts';
import { authenticate } from '#server/core/sessions.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** The viewer of a request, whom its line in the log then names. */
export async function viewerOfRequest(request: FastifyRequest, services: Services): Promise<Viewer> {
  const viewer = await authenticate(request.headers.authorization, services);
  nameCaller(request, viewer);
  return viewer;
}

/** Tells the line in the log who calls. */
export function nameCaller(request: FastifyRequest, { userid, impersonator }: Viewer): void {
  request.userid = userid;
  if (impersonator !== undefined) request.impersonator = impersonator;
}
