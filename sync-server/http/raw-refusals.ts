import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { type ProblemCode, problemFields } from '#shared/api/problem.ts';

import { LargeHeaders } from './large-headers.ts';

/** How long a refused connection may keep sending, ms. */
const lingerMs = 2000;

/** How long to wait for the rest of oversized headers, ms: their cookies must be deleted too. */
const headersMs = 1000;

/** Oversized headers, while they arrive. */
const large = new WeakMap<Socket, LargeHeaders>();

/** An error of the parser; `rawPacket`: the bytes that it was about. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Answers input that is not HTTP, or has endless headers, before a request exists. */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // A connection that was already answered: more of the same request.
  if (!socket.writable) return;
  if (error.code === 'HPE_HEADER_OVERFLOW') return readLargeHeaders(error, socket);
  refuse(error, socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400);
}

/** The parser fails again with each piece, so this is called until the headers end. */
function readLargeHeaders(error: ParserError, socket: Socket): void {
  const headers = large.get(socket) ?? new LargeHeaders();
  if (Buffer.isBuffer(error.rawPacket)) headers.add(error.rawPacket.toString('latin1'));
  const answer = (): void => {
    if (socket.destroyed || !socket.writable) return;
    // Cookies ignore ports, so that any program on this host can fill them. Nothing here needs one. `Clear-Site-Data`
    // is obeyed over TLS and on the same machine only; elsewhere Chromium drops `Set-Cookie` beside it.
    const isSecure = 'encrypted' in socket && socket.encrypted === true;
    const ended = isSecure ? [] : headers.expiry();
    refuse(
      error,
      socket,
      431,
      ended.length === 0 ? { 'Clear-Site-Data': '"cookies"' } : { 'Set-Cookie': ended },
    );
  };
  if (headers.isDone) return answer();
  if (large.has(socket)) return;
  large.set(socket, headers);
  const late = setTimeout(answer, headersMs).unref();
  socket.once('close', () => clearTimeout(late));
}

function refuse(error: Error, socket: Socket, status: 400 | 408 | 431, more: MoreHeaders = {}): void {
  const code: ProblemCode =
    status === 408 ? 'request-timeout' : status === 431 ? 'headers-too-large' : 'bad-json';
  socket.end(rawRefusal(status, STATUS_CODES[status] ?? '', code, more), 'latin1');
  // What still arrives is discarded for a while: closing at once would reset the connection and lose the answer.
  const late = setTimeout(() => socket.destroy(error), lingerMs).unref();
  socket.once('close', () => clearTimeout(late));
}

/** Headers beside those of every refusal; a list has a line for each. */
type MoreHeaders = Record<string, string | readonly string[]>;

/** A refusal as bytes of HTTP, for connections that have no request. */
export function rawRefusal(
  status: number,
  message: string,
  code: ProblemCode,
  more: MoreHeaders = {},
): string {
  const body = JSON.stringify(problemFields(message, code));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    ...more,
    Connection: 'close',
  };
  const lines = Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
