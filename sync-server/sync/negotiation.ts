import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { negotiate, parseAnnouncement, tolerantProtocol } from '#shared/sync/protocol.ts';
import type { FeedHead } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import { nameOf } from '#server/http/request-name.ts';

import { historyId } from './feed-reader.ts';

/**
 * The protocol in which a request of a device is answered.
 * @throws Problem when device and server have none in common
 */
export function protocolOf(request: FastifyRequest, services: Services): number {
  const query = request.query as Record<string, unknown> | undefined;
  const device = parseAnnouncement(query?.['protocol']);
  const spoken = negotiate(device, services.protocols);
  if ('protocol' in spoken) return spoken.protocol;
  const range = `This server speaks protocol ${services.protocols.oldest} to ${services.protocols.newest}.`;
  if (spoken.tooOld === 'server')
    throw new Problem('unavailable', `Ask your administrator to update the server. ${range}`, {
      code: 'server-too-old',
    });
  const words = `Update the app to go on syncing. Your work is kept. ${range}`;
  // A device that announces nothing parks its work on 4xx, and tries again on 5xx.
  throw device === null
    ? new Problem('unavailable', words, { code: 'client-too-old' })
    : new Problem('client-too-old', words);
}

/** What a head carries besides what every device knows; only devices that ignore what they do not know are told. */
type Additions = Omit<FeedHead, 'protocol' | 'history' | 'now' | 'total' | 'server' | 'request'>;

/** The first line of the answer to `asked`. `total`: how many records follow, in a first load. */
export async function headOf(
  services: Services,
  asked: FastifyRequest,
  protocol: number,
  more: { total?: number; additions?: Additions } = {},
): Promise<FeedHead> {
  return {
    protocol,
    history: await historyId(services.storage.reader),
    now: services.now(),
    ...(more.total === undefined ? {} : { total: more.total }),
    ...(protocol >= tolerantProtocol
      ? {
          server: (await services.identity.key()).id,
          ...nameOf(asked),
          ...more.additions,
        }
      : {}),
  };
}
