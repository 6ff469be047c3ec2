import { setImmediate as otherRequests } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { authenticate, haveRightsHeld, sessionOf, type Session } from '#server/core/sessions.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { httpDate } from '#server/http/date-header.ts';

import type { FanOut, LiveStream } from './fan-out.ts';
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
  {
    since,
    protocol,
    streams,
    fanOut,
  }: { since: Checkpoint; protocol: number; streams: Streams; fanOut: FanOut },
): Promise<void> {
  const head = await headOf(services, request, protocol);
  const { authorization } = request.headers;
  const device = await authenticate(authorization, services);
  const stream = new EventStream(reply.raw, { services, fanOut, device, authorization, since, protocol });
  const leave = streams.enter(device, () => stream.cut());
  const stopHeartbeat = streams.heartbeat.add(() => stream.beat());
  reply.hijack();
  reply.raw.writeHead(200, {
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
  try {
    await stream.run(`event: head\ndata: ${JSON.stringify(head)}\n\n`);
  } catch (error) {
    if (!(error instanceof Problem)) request.log.error({ err: error }, 'event stream failed');
  } finally {
    leave();
    stopHeartbeat();
    reply.raw.end();
  }
}

interface StreamOptions {
  services: Services;
  fanOut: FanOut;
  device: Viewer;
  authorization: string | undefined;
  since: Checkpoint;
  protocol: number;
}

/**
 * One event stream. It reads the feed itself until it has everything, then follows it with all others (`FanOut`), and
 * reads it itself again when its rights changed or its connection was full.
 */
class EventStream implements LiveStream {
  readonly protocol: number;
  position: Checkpoint;
  readonly #out: ServerResponse;
  readonly #services: Services;
  readonly #fanOut: FanOut;
  readonly #device: Viewer;
  readonly #authorization: string | undefined;
  #session: Session;
  /** The seq of the checkpoint that the device has. */
  #told: number;
  #isOpen: boolean;
  #isDrained = true;
  #isLive = false;
  #waker: (() => void) | undefined;

  constructor(
    out: ServerResponse,
    { services, fanOut, device, authorization, since, protocol }: StreamOptions,
  ) {
    this.#out = out;
    this.#services = services;
    this.#fanOut = fanOut;
    this.#device = device;
    this.#authorization = authorization;
    this.#session = { viewer: device, until: 0 };
    this.protocol = protocol;
    this.position = since;
    this.#told = since.seq;
    // The client may have disconnected before the listeners are added.
    this.#isOpen = !out.destroyed;
  }

  get userid(): number {
    return this.#session.viewer.userid;
  }

  get principals(): Viewer['principals'] {
    return this.#session.viewer.principals;
  }

  /** Ends the stream at once. */
  cut(): void {
    this.#out.destroy();
    this.#close();
  }

  /** Sends `head`, and then everything until the stream ends. @throws Problem 401 when the token is no longer valid */
  async run(head: string): Promise<void> {
    const { devices, bus } = this.#services;
    const disconnect = devices.connect(this.#device);
    const stopClosing = bus.onClose(() => this.#close());
    this.#out.on('close', () => this.#close());
    this.#out.on('drain', () => {
      this.#isDrained = true;
      this.#waker?.();
    });
    this.#out.write(head);
    try {
      while (this.#isOpen) {
        if (this.#isLive || !this.#isDrained) await new Promise<void>((resolve) => (this.#waker = resolve));
        else await this.#catchUp();
      }
    } finally {
      this.#fanOut.leave(this);
      devices.delivered(this.#device, this.position.seq);
      disconnect();
      stopClosing();
    }
  }

  /** Reads the next page of the feed with the current rights; at its end the stream follows the others. */
  async #catchUp(): Promise<void> {
    // SQLite queries are synchronous. Without a turn of the event loop, a disconnected client would not be noticed.
    await otherRequests();
    if (!this.#isOpen) return;
    const { storage } = this.#services;
    await storage.refresh?.();
    if (!this.#isOpen) return;
    const version = storage.version();
    this.#session = await sessionOf(this.#authorization, this.#services);
    const collections = collectionsFor(this.protocol, null);
    const page = await readFeed(storage.reader, this.#session.viewer, this.position, pageSize, collections);
    const { viewer } = this.#session;
    const isCurrent = await haveRightsHeld(this.#authorization, this.#services, { viewer, version });
    if (!this.#isOpen || !isCurrent) return;
    if (page.checkpoint !== this.position) {
      this.position = page.checkpoint;
      const checkpoint = await checkpointTextOf(this.#services, page.checkpoint);
      const data = textWithRows({ checkpoint }, page.rows, this.protocol);
      this.#send(`id: ${checkpoint}\nevent: rows\ndata: ${data}\n\n`);
    }
    if (!page.more && this.#isDrained) this.#isLive = await this.#fanOut.join(this, version);
  }

  isReady(): boolean {
    return this.#isDrained && Math.floor(this.#services.now() / 1000) <= this.#session.until;
  }

  deliver(event: Buffer, position: Checkpoint): void {
    this.position = position;
    this.#send(event);
  }

  fallBehind(): void {
    this.#isLive = false;
    this.#waker?.();
  }

  #send(event: string | Buffer): void {
    this.#told = this.position.seq;
    this.#services.devices.delivered(this.#device, this.position.seq);
    this.#isDrained = this.#out.write(event);
  }

  /** Tells a quiet device that the connection holds, and how far it is; checks a session that may have expired. */
  beat(): void {
    if (!this.#isLive) {
      if (this.#isDrained) this.#out.write(': still here\n\n');
      return;
    }
    this.position = this.#fanOut.positionOf(this);
    if (!this.isReady()) {
      this.#fanOut.leave(this);
      this.fallBehind();
    } else if (this.position.seq === this.#told) this.#out.write(': still here\n\n');
    else void this.#tellPosition();
  }

  async #tellPosition(): Promise<void> {
    const { position } = this;
    const checkpoint = await checkpointTextOf(this.#services, position);
    if (!this.#isOpen || this.position !== position) return;
    this.#send(
      `id: ${checkpoint}\nevent: rows\ndata: ${textWithRows({ checkpoint }, [], this.protocol)}\n\n`,
    );
  }

  #close(): void {
    this.#isOpen = false;
    this.#waker?.();
  }
}
