import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, Socket } from 'node:net';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { answerClientError } from './raw-refusals.ts';
import type { Limits } from './limits.ts';

/** An unread body up to this size, bytes, is discarded; for a larger one the connection ends. */
const mostThrownAway = 64 * 1024;
/** Time that a client has to read a refusal before its connection ends, ms. */
const lingerMs = 2000;
/** Maximum number of bytes discarded during that time. */
const lingerBytes = 1024 * 1024;

/** Minimum pace of a body. */
type Pace = Pick<Limits, 'bodyWindowMs' | 'bodyWindowBytes'>;

/**
 * Ends requests whose body arrives too slowly.
 *
 * - LOAD-4 A body must deliver at least 32 KB per minute, or the connection ends with 408; 2 KB/s is four times that.
 *   There is no limit on the total time: 80 MB over 16 KB/s take 83 minutes. After a lost connection, an upload
 *   resumes where it was. A body from a caller who is not signed in must arrive completely within 30 seconds.
 */
export class SlowBodies {
  readonly #pace: Pace;
  /** Incomplete bodies, with the bytes received on their connection at the last check; null: not checked yet. */
  readonly #coming = new Map<IncomingMessage, number | null>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Checks the bodies arriving at `server` after each window. */
  watch(server: Server): void {
    // A listener of the server itself, because no hook runs for an address that cannot be parsed.
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

/** Sends 408 and ends the connection. */
export function endSlowBody({ socket }: IncomingMessage): void {
  answerClientError(
    Object.assign(new Error('The body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    socket,
  );
}

/**
 * Handles `Expect`: `100-continue` is answered only once the body will be read (`continueWhereRead`); any other
 * expectation is ignored.
 */
export function takeExpectations(server: Server): void {
  const answer = (raw: IncomingMessage, response: ServerResponse): boolean =>
    server.emit('request', raw, response);
  server.on('checkContinue', answer).on('checkExpectation', answer);
}

/** Sends `100 Continue` to a caller who asked for it, once no check has refused the request. */
export function continueWhereRead(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    const { expect } = raw.headers;
    if (expect?.toLowerCase() === '100-continue' && raw.httpVersion === '1.1' && hasBody(raw))
      reply.raw.writeContinue();
    done();
  });
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Closes connections whose body was not read after the response, so that callers stop sending. */
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
 * Half-closes the connection first and discards some of the remaining input: if unread bytes arrive on a closed
 * connection, the system resets it, and the response is lost.
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
