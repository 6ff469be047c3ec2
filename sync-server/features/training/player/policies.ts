import type { FastifyReply } from 'fastify';

/**
 * Permissions of a module in its frame: scripts, its own origin, forms. No windows, downloads, dialogs or navigation of
 * other pages.
 */
export const sandbox = 'allow-scripts allow-same-origin allow-forms';

/**
 * Allows nothing, for an answer that is not a page but may be shown as one. Without an origin, nothing can access it.
 */
const nothing = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * The page around a module, at the module's origin: its own scripts, and frames of this origin. Only the app can frame
 * it.
 */
export function pagePolicy(appOrigins: readonly string[]): string {
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${appOrigins.join(' ')}; sandbox ${sandbox}; webrtc 'block'`;
}

/** Content may do anything in its frame, but can communicate only with this origin. */
export function contentPolicy(appOrigins: readonly string[]): string {
  return `default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline' data:; connect-src 'self' data: blob:; frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self' ${appOrigins.join(' ')}; sandbox ${sandbox}; webrtc 'block'`;
}

/** Features that neither a module nor the page around it may use, even if the person allows them for the app. */
const permissions = [
  'bluetooth',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'fullscreen',
  'geolocation',
  'hid',
  'local-fonts',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'window-management',
];

/** The value of the header `Permissions-Policy`. */
export const permissionsPolicy = permissions.map((one) => `${one}=()`).join(', ');

/**
 * Sets the headers of every answer of the player, including refusals, because a page of the module's origin without
 * these headers would bypass all of them.
 */
export function guardAnswer(reply: FastifyReply): void {
  if (!reply.hasHeader('Content-Security-Policy')) reply.header('Content-Security-Policy', nothing);
  // Files of a package set their own caching.
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  reply.headers({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    // A separate process, in browsers that provide one: an endless loop blocks no other page.
    'Origin-Agent-Cluster': '?1',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Blocks WebRTC, DNS lookups and early connections, in browsers that support it; no CSP does.
    'Connection-Allowlist': '(response-origin)',
    'X-DNS-Prefetch-Control': 'off',
  });
}
