import type { FastifyInstance } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { sync } from '#shared/api/sync.ts';
import { identityQuery } from '#shared/sync/identity.ts';
import { expectedServer } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import { syncPrefix } from './routes.ts';
import { addressBlock } from '#server/platform/address-block.ts';

import { Questions } from './questions.ts';

/** `GET /sync/1/identity`: open to everybody, since a device asks before it shows a token to anybody (IDENTITY-3). */
export function mountIdentity(app: FastifyInstance, services: Services): void {
  const questions = new Questions(services.now);
  const options = { exposeHeadRoute: false, config: { documented: sync.identity } };
  app.get(`${syncPrefix}/identity`, options, async (request, reply) => {
    questions.count(addressBlock(request.ip));
    const query = identityQuery.safeParse(request.query);
    if (!query.success)
      throw new Problem('invalid', 'Validation failed', {
        errors: query.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      });
    reply.header('Cache-Control', 'no-store');
    return services.identity.answer(query.data.nonce, query.data.origin);
  });
}

/** Refuses requests of devices that believe another server is here, whatever they ask for (IDENTITY-9). */
export function refuseForOthers(app: FastifyInstance, { identity }: Services): void {
  app.addHook('onRequest', async ({ routeOptions, query }) => {
    // Checked by the matched route, because an address may be escaped.
    if (routeOptions.url?.startsWith(`${syncPrefix}/`) !== true) return;
    const { server } = query as { server?: unknown };
    const { data: expected } = expectedServer.safeParse(server);
    if (expected === undefined || expected === (await identity.key()).id) return;
    throw new Problem('gone', 'This is another server than the one your work belongs to. Nothing was done.', {
      code: 'other-server',
    });
  });
}
