import type { FastifyInstance } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { sync } from '#shared/api/sync.ts';
import { identityQuery } from '#shared/sync/identity.ts';
import { tolerantProtocol } from '#shared/sync/protocol.ts';
import { expectedServer } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { commonProtocol } from './negotiation.ts';
import { syncPrefix } from './routes.ts';

/** `GET /sync/1/identity`: public, because devices call it before they send a token (IDENTITY-3). */
export function mountIdentity(app: FastifyInstance, services: Services): void {
  const requests = new IdentityRequests(services.now);
  const options = { exposeHeadRoute: false, config: { documented: sync.identity } };
  app.get(`${syncPrefix}/identity`, options, async (request, reply) => {
    requests.count(addressBlock(request.ip));
    const query = identityQuery.safeParse(request.query);
    if (!query.success)
      throw new Problem('invalid', 'Validation failed', {
        errors: query.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      });
    reply.header('Cache-Control', 'no-store');
    const answer = await services.identity.answer(query.data.nonce, query.data.origin);
    const protocol = commonProtocol(request, services);
    // A device of protocol 5 refuses what it does not know.
    return protocol !== null && protocol >= tolerantProtocol ? { ...answer, protocol } : answer;
  });
}

/**
 * Refuses requests that are meant for another server.
 *
 * - IDENTITY-9 A request to `/sync/1` that names another server (`server=`) gets 410 `other-server`, whatever else it
 *   contains: its token is not checked, and nothing is run. From protocol 6 on, heads of responses name this server.
 */
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

const windowMs = 60_000;
/** Maximum number of requests of an address within `windowMs`. */
const mostOfAnAddress = 3000;

/**
 * Limits requests for the identity, because each costs a signature and needs no sign-in.
 *
 * - IDENTITY-5 An address (a /64 of IPv6) that makes more than 3,000 requests in a minute gets 429: a thousand devices
 *   behind one address can each make three.
 */
class IdentityRequests {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a request. @throws Problem 429 if the address made too many within the minute */
  count(address: string): void {
    const now = this.#now();
    if (now >= this.#since + windowMs) {
      this.#since = now;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    if (count <= mostOfAnAddress) return;
    const retryAfterSeconds = Math.ceil((this.#since + windowMs - now) / 1000);
    throw new Problem(
      'too-many-requests',
      `Too many requests. Wait ${retryAfterSeconds} seconds and try again`,
      { retryAfterSeconds },
    );
  }
}
