import type { FastifyReply, FastifyRequest } from 'fastify';

import { DiskFile, type StoredFile } from '#server/media/stored-file.ts';

import { namesTag } from './etag.ts';

import { readAtOnce } from './small-files.ts';

export interface SentFile {
  type: string;
  /** A strong ETag, without quotes: the bytes at this address never change while it stays the same. */
  etag: string;
  /** True: any cache may store it for a year. False: only the caller's own cache, which must revalidate. */
  isPublic: boolean;
  disposition?: string;
  /** Ranges are not supported, because the file was made for this response only. */
  whole?: true;
  /** Its Content-Security-Policy. Default: nothing but the file itself may be shown. */
  policy?: string;
}

/**
 * Sends a file, or the one at a path: 200, 206 for a range, 304 if the client has it, 416 for a range beyond the end. If
 * the site wants it, a client gets the address in S3 of a file that is not small.
 *
 * - BUCKET-7 An address in S3 is given only where the file itself would be sent, works for a minute, and is not cached
 *   (`--s3-redirects`).
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  source: string | StoredFile,
  file: SentFile,
): Promise<FastifyReply> {
  const stored = typeof source === 'string' ? await DiskFile.at(source) : source;
  const part = startAnswer(request, reply, stored.size, file);
  if (part === undefined) return reply.send();
  const [start, end] = part;
  const address = await addressOf(request, stored, file);
  if (address !== null) return sendAddress(reply, address);
  // A stream costs more than reading a small file whole.
  if (stored.size <= readAtOnce) return reply.send((await stored.bytes()).subarray(start, end + 1));
  return reply.send(await stored.stream(start, end));
}

/** Where a client can download a file directly; null if the server sends it. */
async function addressOf(
  { method }: FastifyRequest,
  stored: StoredFile,
  { type, disposition, whole }: SentFile,
): Promise<string | null> {
  if (stored.address === undefined || method !== 'GET' || whole === true) return null;
  return stored.size <= readAtOnce ? null : stored.address({ type, disposition });
}

function sendAddress(reply: FastifyReply, address: string): FastifyReply {
  for (const name of ['ETag', 'Accept-Ranges', 'Content-Disposition', 'Content-Range', 'Content-Length'])
    reply.removeHeader(name);
  return reply.status(307).headers({ Location: address, 'Cache-Control': 'private, no-store' }).send();
}

/** `sendFile` for bytes in memory. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  file: SentFile,
): FastifyReply {
  const part = startAnswer(request, reply, bytes.length, file);
  if (part === undefined) return reply.send();
  const [start, end] = part;
  return reply.send(bytes.subarray(start, end + 1));
}

/** Sets status and headers. Returns the first and last byte to send; undefined if the response has no body. */
function startAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  size: number,
  file: SentFile,
): [start: number, end: number] | undefined {
  const etag = `"${file.etag}"`;
  reply.headers(headersOf(file));
  if (namesTag(request.headers['if-none-match'], etag)) {
    reply.status(304);
    return undefined;
  }
  const condition = request.headers['if-range'];
  const mayBePart = file.whole !== true && (condition === undefined || condition === etag);
  const range = mayBePart ? readRange(request.headers.range, size) : undefined;
  if (range === 'beyond') {
    reply.status(416).header('Content-Range', `bytes */${size}`);
    return undefined;
  }
  const [start, end] = range ?? [0, size - 1];
  if (range !== undefined) reply.status(206).header('Content-Range', `bytes ${start}-${end}/${size}`);
  reply.type(file.type).header('Content-Length', end - start + 1);
  return [start, end];
}

function headersOf(file: SentFile): Record<string, string> {
  return {
    ETag: `"${file.etag}"`,
    'Cache-Control': file.isPublic ? 'public, max-age=31536000, immutable' : 'private, no-cache',
    'Accept-Ranges': file.whole === true ? 'none' : 'bytes',
    'X-Content-Type-Options': 'nosniff',
    ...policyOf(file),
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(file.isPublic ? {} : { Vary: 'Authorization, Origin' }),
    ...(file.disposition === undefined ? {} : { 'Content-Disposition': file.disposition }),
  };
}

/** PDFs get no sandbox, because browsers do not show sandboxed PDFs. `nosniff` prevents other uses of the file. */
function policyOf({ type, policy }: SentFile): { 'Content-Security-Policy'?: string } {
  if (policy !== undefined) return { 'Content-Security-Policy': policy };
  return type === 'application/pdf' ? {} : { 'Content-Security-Policy': "default-src 'none'; sandbox" };
}

/**
 * One range of bytes, inclusive; undefined for several ranges or an invalid header: the whole file is sent (RFC 9110
 * 14.2).
 */
function readRange(header: string | undefined, size: number): [number, number] | 'beyond' | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (parts === null) return undefined;
  const [first = '', last = ''] = parts.slice(1);
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'beyond' : [Math.max(0, size - Number(last)), size - 1];
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) return 'beyond';
  return end < start ? undefined : [start, end];
}
