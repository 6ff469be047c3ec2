import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { negotiate, parseAnnouncement, tolerantProtocol, type ProtocolRange } from '#shared/sync/protocol.ts';
import type { FeedHead } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import { requestNameOf } from '#server/http/errors.ts';

import { historyId } from './feed-reader.ts';

/** What the request of a device announces; null: nothing. */
function announcementOf(request: FastifyRequest): ProtocolRange | null {
  const query = request.query as Record<string, unknown> | undefined;
  return parseAnnouncement(query?.['protocol']);
}

/** The protocol that device and server speak; null if they have none in common. */
export function commonProtocol(request: FastifyRequest, services: Services): number | null {
  const spoken = negotiate(announcementOf(request), services.protocols);
  return 'protocol' in spoken ? spoken.protocol : null;
}

/**
 * The protocol for the response to a request of a device.
 * @throws Problem if device and server have none in common
 */
export function protocolOf(request: FastifyRequest, services: Services): number {
  const device = announcementOf(request);
  const spoken = negotiate(device, services.protocols);
  if ('protocol' in spoken) return spoken.protocol;
  const range = `This server speaks protocol ${services.protocols.oldest} to ${services.protocols.newest}.`;
  if (spoken.tooOld === 'server')
    throw new Problem('unavailable', `Ask your administrator to update the server. ${range}`, {
      code: 'server-too-old',
    });
  const words = `Update the app to go on syncing. Your work is kept. ${range}`;
  // A device that announces no protocol parks its calls on 4xx, and retries on 5xx.
  throw device === null
    ? new Problem('unavailable', words, { code: 'client-too-old' })
    : new Problem('client-too-old', words);
}

/** Additional properties of a head. They are sent only to devices that ignore unknown properties. */
type Additions = Omit<FeedHead, 'protocol' | 'history' | 'now' | 'total' | 'server' | 'request'>;

/**
 * The first line of the response to the request `asked`. `total`: number of records that follow, in an initial load.
 */
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
          ...requestNameOf(asked),
          ...more.additions,
        }
      : {}),
  };
}
