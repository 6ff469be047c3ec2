import { join } from 'node:path';

import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';

import { appAddresses } from '#shared/rules/screens.ts';

import { mountAddresses } from './addresses.ts';

/**
 * What the app's pages may load: their own code and styles, pictures and media of any server that the app signs in to,
 * and workers for the journal. React Aria sets inline styles on positioned elements.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  'img-src * blob: data:',
  'media-src * blob:',
  'connect-src *',
  "worker-src 'self'",
  "manifest-src 'self'",
  'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the page that checks archives may load: only its own code. It can send nothing (CHECK-PAGE-1). */
const checkPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const year = 365 * 24 * 3600;

/**
 * Serves the built app, compressed as the build stored it, where the client accepts that. Files with a hash in their name
 * are cached without revalidation, the page itself is not cached.
 *
 * - ADDRESS-6 Every address for which the app has a screen returns the page, including when it is opened from an
 *   e-mail or reloaded.
 * - ADDRESS-7 Scripts, styles and the page are sent compressed (br, gzip) to clients that accept it.
 */
export async function serveApp(app: FastifyInstance, dir: string): Promise<void> {
  await app.register(staticFiles, {
    root: dir,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isOfCheck = path.startsWith(join(dir, 'omanual'));
      const hashed = path.startsWith(join(dir, 'assets')) || path.startsWith(join(dir, 'omanual/assets'));
      reply.header('Cache-Control', hashed ? `public, max-age=${year}, immutable` : 'no-cache');
      reply.header('Content-Security-Policy', isOfCheck ? checkPolicy : contentSecurityPolicy);
      reply.header('X-Content-Type-Options', 'nosniff');
      reply.header('Referrer-Policy', 'no-referrer');
      reply.header('Cross-Origin-Opener-Policy', 'same-origin');
    },
  });
  for (const url of appAddresses()) app.get(url, (_request, reply) => reply.sendFile('index.html'));
  app.get('/omanual/check', (_request, reply) => reply.sendFile('omanual/index.html'));
  mountAddresses(app);
}
