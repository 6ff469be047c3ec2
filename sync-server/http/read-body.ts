import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';

import type { RequestSlot } from './in-flight.ts';
import { endSlowBody } from './slow-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request among those in progress; null: it is not counted. */
    slot: RequestSlot | null;
  }
}

/** Memory overhead of a piece of a body, bytes: a caller can send each byte as a separate piece. */
const pieceBytes = 512;

/**
 * Reads the whole body of a request into memory. `entranceMs`: the time limit for callers who are not signed in.
 *
 * - HTTP-5 A body that is too large is 422.
 * @throws Problem 422 `body-too-large` for one that exceeds the limit of its route, 429 and 503 if the bodies of its
 * caller, or of all, use too much memory
 */
export async function readBody(
  { routeOptions, raw, slot }: FastifyRequest,
  entranceMs: number,
): Promise<Buffer> {
  const most = routeOptions.bodyLimit ?? 0;
  if (Number(raw.headers['content-length'] ?? 0) > most) throw tooLarge();
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): void => {
    size += piece.length;
    if (size > most) return reject(tooLarge());
    pieces.push(piece);
    slot?.hold(piece.length + pieceBytes);
  };
  const end = (): void => resolve(Buffer.concat(pieces, size));
  slot?.read(reject);
  const late = slot?.isKnown === false ? setTimeout(() => endSlowBody(raw), entranceMs) : undefined;
  raw.on('data', take).once('end', end).once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    slot?.wasRead();
    raw.off('data', take).off('end', end).off('error', reject);
  }
}

function tooLarge(): Problem {
  const message = 'The body is too large';
  return new Problem('invalid', message, { code: 'body-too-large', errors: [{ field: 'body', message }] });
}
