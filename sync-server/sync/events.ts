import { setImmediate as otherRequests } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { authenticate } from '#server/core/sessions.ts';
import type { Services } from '#server/core/services.ts';
import { httpDate } from '#server/http/date-header.ts';

import { collectionsFor, textWithRows } from './feed-line.ts';
import { checkpointTextOf, readFeed, type Checkpoint } from './feed-reader.ts';
import { headOf } from './negotiation.ts';
import type { Streams } from './streams.ts';

const pageSize = 200;

/**
 * Streams changes after `since` as server-sent events. Ends when the client disconnects, the server closes, or the
 * token is no longer valid.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  { since, protocol, streams }: { since: Checkpoint; protocol: number; streams: Streams },
): Promise<void> {
  const head = await headOf(services, request, protocol);
  const out = reply.raw;
  const device = await authenticate(request.headers.authorization, services);
  const leave = streams.enter(device, () => {
    out.destroy();
    close();
  });
  const disconnect = services.devices.connect(device);
  reply.hijack();
  out.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    Date: httpDate(services),
    'X-Accel-Buffering': 'no',
    ...Object.fromEntries(
      Object.entries(reply.getHeaders()).filter(
        ([name]) => name.startsWith('access-control-') || name === 'vary',
      ),
    ),
  });
  /** Sends an event. Returns false if the buffer of the connection is full. */
  const send = (event: string, data: string, id?: string): boolean =>
    out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  send('head', JSON.stringify(head));

  let position = since;
  /** Version of the database that was read to its end. */
  let readVersion = -1;
  let waker: (() => void) | undefined;
  let pending = true;
  let isDrained = true;
  // The client may have disconnected before the listeners below are added.
  let open = !out.destroyed;
  const wake = (): void => {
    pending = true;
    waker?.();
  };
  const close = (): void => {
    open = false;
    waker?.();
  };
  const stopListening = services.bus.listen(wake);
  const stopClosing = services.bus.onClose(close);
  const stopHeartbeat = streams.heartbeat.add(() => {
    if (isDrained) out.write(': still here\n\n');
    wake();
  });
  out.on('close', close);
  out.on('drain', () => {
    isDrained = true;
    waker?.();
  });
  try {
    while (open) {
      if (!pending || !isDrained) await new Promise<void>((resolve) => (waker = resolve));
      if (!open) break;
      if (!isDrained) continue;
      pending = false;
      const version = services.storage.version();
      const viewer = await authenticate(request.headers.authorization, services);
      // SQLite queries are synchronous. Without a turn of the event loop, a disconnected client would not be noticed.
      await otherRequests();
      // Most wakes only check the token.
      if (!open || version === readVersion) continue;
      const collections = collectionsFor(protocol, null);
      const page = await readFeed(services.storage.reader, viewer, position, pageSize, collections);
      if (!open) break;
      if (page.more) pending = true;
      else readVersion = version;
      if (page.checkpoint === position) continue;
      position = page.checkpoint;
      services.devices.delivered(device, position.seq);
      const checkpoint = await checkpointTextOf(services, position);
      isDrained = send('rows', textWithRows({ checkpoint }, page.rows, protocol), checkpoint);
    }
  } catch (error) {
    if (!(error instanceof Problem)) request.log.error({ err: error }, 'event stream failed');
  } finally {
    leave();
    disconnect();
    stopListening();
    stopClosing();
    stopHeartbeat();
    out.end();
  }
}
