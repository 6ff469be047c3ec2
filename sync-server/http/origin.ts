import type { FastifyRequest } from 'fastify';

/** The origin that the caller used; a Host header that is no host cannot stand in the URLs of an answer. */
export function baseUrlOf(request: FastifyRequest): string {
  // A proxy may pass on what a caller wrote into `X-Forwarded-Proto`.
  const scheme = request.protocol === 'https' ? 'https' : 'http';
  const origin = `${scheme}://${request.host}`;
  if (origin === lastSoundOrigin) return origin;
  if (URL.parse(origin)?.origin !== origin.toLowerCase()) return `${scheme}://localhost`;
  lastSoundOrigin = origin;
  return origin;
}

/** Nearly every request names the same one. */
let lastSoundOrigin = '';
