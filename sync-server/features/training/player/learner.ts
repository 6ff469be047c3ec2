import type { FastifyRequest } from 'fastify';

import { hashToken } from '#server/core/sessions.ts';
import type { Services } from '#server/core/services.ts';
import { type Caller, personHolder } from '#server/http/in-flight.ts';
import { stranger } from '#server/http/rate-limit.ts';

import { tokenOfCredentials } from './lrs.ts';

/** Whether a request is for what an open player does, not for the files of the player itself. */
export function asksForSession({ routeOptions, is404 }: FastifyRequest): boolean {
  return !is404 && routeOptions.url?.startsWith('/player/') === false;
}

/** The caller: the person of an open session, with everything they have open; otherwise an anonymous caller at an address. */
export async function learnerOf(services: Services, request: FastifyRequest): Promise<Caller> {
  const { token } = request.params as { token?: string };
  const session = await services.storage.reader
    .selectFrom('training_sessions')
    .select('userid')
    .where('token_hash', '=', hashToken(token ?? tokenOfCredentials(request)))
    .where('kind', '=', 'session')
    .where('expires_date', '>=', Math.floor(services.now() / 1000))
    .executeTakeFirst();
  if (session === undefined) return stranger(request.ip);
  return { name: `learner ${session.userid}`, holder: personHolder(session.userid), isKnown: true };
}
