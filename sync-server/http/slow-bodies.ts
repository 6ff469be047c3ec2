import type { IncomingMessage } from 'node:http';
import { type Server, Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { answerClientError } from './raw-refusals.ts';
import { hasBody } from './body.ts';
import type { Limits } from './limits.ts';

/** What is left of a body that nobody reads is thrown away up to this size; a larger one ends with its connection, bytes. */
const mostThrownAway = 64 * 1024;
/** How long the other end may take to read a refusal before its connection is gone, ms. */
const lingerMs = 2000;
/** What is read of it meanwhile, bytes: reading costs time. */
const lingerBytes = 1024 * 1024;

/** Bounds of how slowly a body may come. */
type Pace = Pick<Limits, 'bodyWindowMs' | 'bodyWindowBytes'>;

/** Ends requests whose body comes too slowly (408). */
export function watchBodies(server: Server, pace: Pace): void {
  // Of the server itself: no hook runs for an address that cannot be read.
  server.prependListener('request', (raw: IncomingMessage) => {
    if (hasBody(raw)) watch(raw, pace);
  });
}

/** Has nobody send on what was refused: the connection is closed after such an answer. */
export function closeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    closeWhereUnread(request, reply);
    done();
  });
}

/** Has the connection closed after an answer to a request whose body, which may be large, was not read. */
export function closeWhereUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !mayBeLarge(raw)) return;
  reply.header('Connection', 'close');
  linger(raw);
}

function mayBeLarge({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > mostThrownAway
  );
}

function watch(raw: IncomingMessage, { bodyWindowMs, bodyWindowBytes }: Pace): void {
  const { socket } = raw;
  if (!(socket instanceof Socket)) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const now = socket.bytesRead;
    if (raw.complete) return clearInterval(timer);
    if (now - before < bodyWindowBytes) {
      clearInterval(timer);
      return answerClientError(tooSlow(), socket);
    }
    before = now;
  }, bodyWindowMs);
  raw.once('close', () => clearInterval(timer));
}

function tooSlow(): Error & { code: string } {
  return Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/**
 * Where bytes arrive that nobody reads, the system resets a connection that is closed, and the answer is lost. So it is
 * half closed first, and some of what still comes is thrown away.
 */
function linger(raw: IncomingMessage): void {
  const { socket } = raw;
  if (!(socket instanceof Socket)) return;
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    const enough = socket.bytesRead + lingerBytes;
    raw.on('data', () => {
      if (socket.bytesRead > enough) socket.destroy();
    });
    socket.end();
  };
}
