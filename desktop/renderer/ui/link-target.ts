/** Target of a link in a text: within the app, a section of the same text, another site, or nothing. */
export type LinkTarget =
  | { kind: 'app'; href: string }
  | { kind: 'section'; id: string }
  | { kind: 'away'; href: string }
  | { kind: 'none' };

const safeSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Resolves the target of a link. `server`: the site whose guides are shown in the app. */
export function linkTarget(href: string, server: string | null): LinkTarget {
  if (href.startsWith('#')) return { kind: 'section', id: href.slice(1) };
  if (/^\/(guides|library|work-orders|archives)(\/|$)/.test(href)) return { kind: 'app', href };
  const base = server ?? undefined;
  if (!URL.canParse(href, base)) return { kind: 'none' };
  const url = new URL(href, base);
  if (!safeSchemes.has(url.protocol)) return { kind: 'none' };
  const guideid = /^\/(?:Guide|Teardown)\/[^/]+\/(\d+)/.exec(url.pathname)?.[1];
  const isOurs = server !== null && url.origin === new URL(server).origin;
  if (!isOurs) return { kind: 'away', href: url.href };
  const inApp = guideid === undefined ? pageInApp(url.pathname) : `/guides/${guideid}`;
  return inApp === null ? { kind: 'away', href: url.href } : { kind: 'app', href: inApp };
}

const pageKinds = new Map([
  ['c', 'CATEGORY'],
  ['Device', 'CATEGORY'],
  ['Item', 'ITEM'],
  ['Info', 'INFO'],
  ['Wiki', 'WIKI'],
]);

/** Address in the app of a page, person or team with this path on the site; null for other paths. */
function pageInApp(path: string): string | null {
  const [, place = '', name = ''] = /^\/([A-Za-z]+)\/([^/]+)/.exec(path) ?? [];
  if ((place === 'User' || place === 'Team') && /^\d+$/.test(name))
    return `/${place === 'User' ? 'people' : 'teams'}/${name}`;
  const kind = pageKinds.get(place);
  return kind === undefined ? null : `/pages/named/${kind}/${name}`;
}

const players = new Set(['www.youtube-nocookie.com', 'player.vimeo.com']);

/** The address of an embedded video player, if the app supports it. */
export function playerAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' && players.has(url.hostname) ? url.href : null;
}
