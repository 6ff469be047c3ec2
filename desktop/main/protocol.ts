import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

import { contentType } from 'mime-types';

import type { Protocol, SchemeRegistry } from './electron.ts';
import { appScheme, isAppUrl, playerOrigins } from './origin.ts';

/** Must be called before the app is ready. */
export function registerAppScheme(protocol: SchemeRegistry): void {
  const privileges = {
    standard: true,
    secure: true,
    supportFetchAPI: true,
    corsEnabled: true,
    codeCache: true,
  };
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }]);
}

/** Serves the built renderer in `folder` under benchbook://app/. */
export function serveApp(protocol: Protocol, folder: string): void {
  protocol.handle(appScheme, (request) => answerAppRequest(request, folder));
}

/**
 * Returns a file of `folder`, or the page itself for the path of a screen. Everything else is 404.
 *
 * - ELECTRON-92 The page is served at the address of every screen, whatever id or title is in it. Otherwise the window
 *   would be empty after a crash or a restart.
 */
export async function answerAppRequest(request: Request, folder: string): Promise<Response> {
  if (!isAppUrl(request.url)) return refuse(404);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const { pathname } = new URL(request.url);
  const path = isScreen(pathname) ? '' : safePath(pathname);
  if (path === undefined) return refuse(404);
  const isPage = extname(path) === '' || path === 'index.html';
  const type = isPage ? 'text/html; charset=utf-8' : contentType(extname(path));
  if (type === false) return refuse(404);
  const file = join(folder, isPage ? 'index.html' : path);
  const bytes = file.startsWith(folder + sep) ? await readFile(file).catch(() => undefined) : undefined;
  if (bytes === undefined) return refuse(404);
  const nonce = randomBytes(16).toString('base64');
  const body = isPage ? withNonce(bytes.toString('utf8'), nonce) : new Uint8Array(bytes);
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: { ...headers(nonce), 'content-type': type },
  });
}

/** Whether this is the path of a screen with an id or a title: below a plain word that is no folder of the page's files. */
function isScreen(pathname: string): boolean {
  return /^\/(?!assets\/)[a-z][a-z-]*\/./.test(pathname);
}

/** The path relative to the folder; undefined if a part of it is not a plain name. */
function safePath(pathname: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const parts = decoded.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  return parts.every((part) => /^[\w@ .-]+$/.test(part) && !part.startsWith('.'))
    ? parts.join('/')
    : undefined;
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: headers('') });
}

function headers(nonce: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** React Aria adds two style elements; it takes their nonce from this tag. */
function withNonce(page: string, nonce: string): string {
  return page.replace('<head>', `<head><meta property="csp-nonce" nonce="${nonce}" />`);
}

/**
 * The content security policy. Scripts come only from the app. The person chooses the server, which many workshops
 * run without TLS, so data and pictures may come from any http(s) address.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === '' ? '' : ` 'nonce-${nonce}'`}`,
    "font-src 'self'",
    "img-src 'self' blob: data: http: https:",
    "media-src 'self' blob: http: https:",
    "connect-src 'self' http: https:",
    "worker-src 'self'",
    `frame-src ${playerOrigins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}
