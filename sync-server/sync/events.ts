import { setImmediate as others } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { authenticate } from '#server/core/sessions.ts';
import type { Services } from '#server/core/services.ts';
import { httpDate } from '#server/http/dated.ts';

import { textWithRows } from './feed-line.ts';
import { placeText, readFeed, type Place } from './feed-reader.ts';
import { headOf } from './negotiation.ts';
import type { Streams } from './streams.ts';

/** A comment line this often keeps proxies from closing the stream, ms. */
const heartbeatMs = 20_000;
/** The token is checked again this often, ms, and before every event that carries rows. */
const recheckMs = 20_000;
const pageSize = 200;

/**
 * Streams what moves, beginning after `since`, as server-sent events. Ends when the client leaves, the server closes,
 * or the token is no longer good.
 */
export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  { since, protocol, streams }: { since: Place; protocol: number; streams: Streams },
): Promise<void> {
  const head = await headOf(services, request, protocol);
  const out = reply.raw;
  const leave = streams.enter(await authenticate(request.headers.authorization, services), () => {
    out.destroy();
    close();
  });
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
  /** False: the client has not taken what was sent before. */
  const send = (event: string, data: string, id?: string): boolean =>
    out.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  send('head', JSON.stringify(head));

  let place = since;
  let waker: (() => void) | undefined;
  let pending = true;
  let taken = true;
  // The client may have left before this listens.
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
  const heartbeat = setInterval(() => {
    if (taken) out.write(': still here\n\n');
  }, heartbeatMs);
  const recheck = setInterval(wake, recheckMs);
  out.on('close', close);
  out.on('drain', () => {
    taken = true;
    waker?.();
  });
  try {
    while (open) {
      if (!pending || !taken) await new Promise<void>((resolve) => (waker = resolve));
      if (!open) break;
      if (!taken) continue;
      pending = false;
      const viewer = await authenticate(request.headers.authorization, services);
      // That a client has left shows only once others had their turn, which queries of SQLite give to nobody.
      await others();
      if (!open) break;
      const page = await readFeed(services.storage.reader, viewer, place, pageSize, null);
      if (!open) break;
      if (page.more) pending = true;
      if (page.place === place) continue;
      place = page.place;
      const checkpoint = await placeText(services, place);
      taken = send('rows', textWithRows({ checkpoint }, page.rows, protocol), checkpoint);
    }
  } catch (error) {
    if (!(error instanceof Problem)) request.log.error({ err: error }, 'event stream failed');
  } finally {
    leave();
    stopListening();
    stopClosing();
    clearInterval(heartbeat);
    clearInterval(recheck);
    out.end();
  }
}
