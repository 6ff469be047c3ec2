import type { FastifyReply } from 'fastify';

/** What a module may do in its frame: run scripts, be its own origin, send forms. No windows, files, dialogs, or pages around. */
export const sandbox = 'allow-scripts allow-same-origin allow-forms';

/** Nothing: of an answer that is shown as a page, and is none. Without an origin, nobody can reach into it. */
const nothing = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** The page around a module, at the module's origin: its own scripts, and frames of this origin. The app alone frames it. */
export function pagePolicy(appOrigins: readonly string[]): string {
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${appOrigins.join(' ')}; sandbox ${sandbox}; webrtc 'block'`;
}

/** Content does in its frame what it likes, but talks to this origin alone. */
export function contentPolicy(appOrigins: readonly string[]): string {
  return `default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline' data:; connect-src 'self' data: blob:; frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self' ${appOrigins.join(' ')}; sandbox ${sandbox}; webrtc 'block'`;
}

/** What neither the page around a module nor a module may use, whatever the person lets the app use. */
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

/** As a header. */
export const permissionsPolicy = permissions.map((one) => `${one}=()`).join(', ');

/**
 * On every answer of the player, refusals too: a page of the module's origin that came without them would be a way out
 * of all the others.
 */
export function guardAnswer(reply: FastifyReply): void {
  if (!reply.hasHeader('Content-Security-Policy')) reply.header('Content-Security-Policy', nothing);
  // A file of a package says for itself how it is kept.
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
  reply.headers({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    // A process of its own, in browsers that give one: what never stops computing stops no other page.
    'Origin-Agent-Cluster': '?1',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Shuts WebRTC, and what looks up names or connects early, in browsers that know it; no CSP does.
    'Connection-Allowlist': '(response-origin)',
    'X-DNS-Prefetch-Control': 'off',
  });
}
