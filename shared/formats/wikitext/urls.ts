import type { WikiContext } from './context.ts';

const MAX_URL = 2048;
const AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/**
 * Whether an address may become an `href` or `src`: http, https, a path of the own site or a fragment.
 * Control characters, spaces and backslashes are refused because browsers drop or reinterpret them.
 */
export function isSafeUrl(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the point is to refuse them
  if (url.length > MAX_URL || /[\u0000-\u0020\u007f\\<>"`]/.test(url)) return false;
  return /^(?:https?:\/\/[^/?#]|\/(?!\/)|#)/i.test(url);
}

export function isMailAddress(address: string): boolean {
  return address.length <= 254 && /^[\w.!#$%*+/=^{}~-]+@[a-z0-9.-]+$/i.test(address);
}

/** The lower-case host of an http(s) address without user and port; '' for anything else. */
export function hostOf(url: string): string {
  const authority = AUTHORITY.exec(url)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** The address to write for a link, and whether the target is trusted, so that it needs no `rel`. */
export function resolveLink(url: string, context: WikiContext): { href: string; trusted: boolean } {
  const host = hostOf(url);
  if (host === '') return { href: url, trusted: true };
  if (context.siteHosts.includes(host)) return { href: withSiteScheme(url, context), trusted: true };
  const trusted = context.trustedHosts.some((name) => host === name || host.endsWith(`.${name}`));
  return { href: url, trusted };
}

function withSiteScheme(url: string, context: WikiContext): string {
  const secure = context.siteUrl?.startsWith('https:') ?? false;
  return secure ? url.replace(/^http:/i, 'https:') : url;
}

export interface VideoTarget {
  readonly service: 'youtube' | 'vimeo';
  readonly id: string;
}

/** The video of an address at one of the two supported services; null for other addresses. */
export function videoTarget(url: string): VideoTarget | null {
  const host = hostOf(url).replace(/^(?:www|m|player)\./, '');
  if (host === 'vimeo.com') {
    const id = /^https?:\/\/[^/]+\/(?:video\/)?(\d{1,12})(?:[/?#]|$)/i.exec(url)?.[1];
    return id === undefined ? null : { service: 'vimeo', id };
  }
  const id = youtubeId(url, host);
  return id === null ? null : { service: 'youtube', id };
}

function youtubeId(url: string, host: string): string | null {
  if (host === 'youtu.be') return /^https?:\/\/[^/]+\/([\w-]{11})(?![\w-])/i.exec(url)?.[1] ?? null;
  if (host !== 'youtube.com' && host !== 'youtube-nocookie.com') return null;
  const path = /^https?:\/\/[^/]+\/(?:embed|shorts|live|v)\/([\w-]{11})(?![\w-])/i.exec(url)?.[1];
  return path ?? /[?&]v=([\w-]{11})(?![\w-])/.exec(url)?.[1] ?? null;
}
