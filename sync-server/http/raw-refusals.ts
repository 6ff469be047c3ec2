import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { type ProblemCode, problemFields } from '#shared/api/problem.ts';

/** How long a refused connection may go on sending, ms. */
const lingerMs = 2000;

/** Answers what is not HTTP, or has headers without end, before a request exists. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const code: ProblemCode =
    status === 408 ? 'request-timeout' : status === 431 ? 'headers-too-large' : 'bad-json';
  // A connection that is told already: more of the same request.
  if (!socket.writable) return;
  // Cookies ignore ports, so that any program on this host can fill them. Nothing here needs one.
  const more: Record<string, string> = status === 431 ? { 'Clear-Site-Data': '"cookies"' } : {};
  socket.end(rawRefusal(status, STATUS_CODES[status] ?? '', code, more));
  // What still comes is read and dropped for a while: to close at once would reset the connection, and the answer be lost.
  const late = setTimeout(() => socket.destroy(error), lingerMs).unref();
  socket.once('close', () => clearTimeout(late));
}

/** A refusal as bytes of HTTP, for connections that have no request. */
export function rawRefusal(
  status: number,
  message: string,
  code: ProblemCode,
  more: Record<string, string> = {},
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
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
