import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { type ProblemCode, problemFields } from '#shared/api/problem.ts';

import { LargeHeaders } from './large-headers.ts';

/** Time for which input of a refused connection is discarded, ms. */
const lingerMs = 2000;

/** Time to wait for the rest of oversized headers, ms: the cookies in them must be deleted too. */
const headersMs = 1000;

/** Oversized headers that are still arriving. */
const large = new WeakMap<Socket, LargeHeaders>();

/** An error of the HTTP parser; `rawPacket`: the bytes that caused it. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

/** Answers input that is not HTTP, or whose headers are too large, before a request exists. */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Already answered: this is more input of the same request.
  if (!socket.writable) return;
  if (error.code === 'HPE_HEADER_OVERFLOW') return readLargeHeaders(error, socket);
  refuse(error, socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400);
}

/** Called for each piece until the headers end, because the parser fails again with each. */
function readLargeHeaders(error: ParserError, socket: Socket): void {
  const headers = large.get(socket) ?? new LargeHeaders();
  if (Buffer.isBuffer(error.rawPacket)) headers.add(error.rawPacket.toString('latin1'));
  const answer = (): void => {
    if (socket.destroyed || !socket.writable) return;
    // Cookies are shared between ports, so any program on this host can set them. The server needs none. Browsers obey
    // `Clear-Site-Data` only over TLS and on the same machine; elsewhere Chromium ignores `Set-Cookie` next to it.
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
  // Input is discarded for a while: closing immediately would reset the connection, and the response would be lost.
  const late = setTimeout(() => socket.destroy(error), lingerMs).unref();
  socket.once('close', () => clearTimeout(late));
}

/** Additional headers of a refusal; a list becomes one line for each element. */
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
