import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { answerClientError } from './raw-refusals.ts';
import type { Limits } from './limits.ts';

/** The rest of an unread body is discarded up to this size, bytes; beyond it the connection ends. */
const mostThrownAway = 64 * 1024;
/** How long the client has to read a refusal before its connection ends, ms. */
const lingerMs = 2000;
/** How much of it is read meanwhile, bytes: reading costs time. */
const lingerBytes = 1024 * 1024;

/** Limits on how slowly a body may arrive. */
type Pace = Pick<Limits, 'bodyWindowMs' | 'bodyWindowBytes'>;

/** Ends requests whose body arrives too slowly (408). */
export class SlowBodies {
  readonly #pace: Pace;
  /** Unfinished bodies, with the bytes their connection had received at the last check; null: not checked yet. */
  readonly #coming = new Map<IncomingMessage, number | null>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Checks the bodies arriving at `server` after each window. */
  watch(server: Server): void {
    // Of the server itself: no hook runs for an address that cannot be read.
    server.prependListener('request', (raw: IncomingMessage) => {
      if (!hasBody(raw)) return;
      this.#coming.set(raw, null);
      raw.once('close', () => this.#coming.delete(raw));
    });
    server.once('listening', () => {
      const timer = setInterval(() => this.look(), this.#pace.bodyWindowMs).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  /** Ends requests that received too little since the last check. */
  look(): void {
    for (const [raw, before] of this.#coming) {
      const now = raw.socket.bytesRead;
      if (raw.complete) this.#coming.delete(raw);
      else if (before === null || now - before >= this.#pace.bodyWindowBytes) this.#coming.set(raw, now);
      else {
        this.#coming.delete(raw);
        endSlowBody(raw);
      }
    }
  }
}

/** Answers 408 and ends the connection. */
export function endSlowBody({ socket }: IncomingMessage): void {
  answerClientError(
    Object.assign(new Error('The body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    socket,
  );
}

/**
 * Makes sure that `Expect: 100-continue` is answered only if the body will be read (`continueWhereRead`), and that any
 * other expectation is ignored.
 */
export function takeExpectations(server: Server): void {
  const answer = (raw: IncomingMessage, response: ServerResponse): boolean =>
    server.emit('request', raw, response);
  server.on('checkContinue', answer).on('checkExpectation', answer);
}

/** Tells a caller who asked before sending (`takeExpectations`) to continue, once nothing has refused the request. */
export function continueWhereRead(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    const { expect } = raw.headers;
    if (expect?.toLowerCase() === '100-continue' && raw.httpVersion === '1.1' && hasBody(raw))
      reply.raw.writeContinue();
    done();
  });
}

/** Whether a request says that it has a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Stops callers from sending on after a refusal: the connection is closed after such an answer. */
export function closeUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    closeWhereUnread(request, reply);
    done();
  });
}

/** Closes the connection after answering a request whose body, which may be large, was not read. */
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

/**
 * If unread bytes arrive, the system resets a closed connection, and the answer is lost. So the connection is half
 * closed first, and some of the remaining input is discarded.
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
