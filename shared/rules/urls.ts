import type { WikiNamespace } from '#shared/model/wiki.ts';

/** Site-relative URLs, spelled as live servers spell them. */

const keptInPath = /%(?:3A|2C|26|24|3B|40|2B)/g;

/** A title in a URL: words joined by `+`, everything else percent-encoded as live servers do it. */
function plusWords(title: string): string {
  return encodeURIComponent(title)
    .replaceAll('%20', '+')
    .replaceAll(keptInPath, (code) => decodeURIComponent(code));
}

/**
 * `/Guide/Belt+replacement/61`; teardowns live under `/Teardown`.
 *
 * - LIVE-7 A slash of a title is a hyphen in the address of a guide, where the number alone identifies it.
 */
export function guidePath(guide: { guideid: number; title: string; type: string }): string {
  return `/${guide.type === 'teardown' ? 'Teardown' : 'Guide'}/${plusWords(guide.title.replaceAll('/', '-'))}/${guide.guideid}`;
}

/** `/User/7/Ana+Ruiz`. */
export function userPath(user: { userid: number; username: string }): string {
  return `/User/${user.userid}/${plusWords(user.username)}`;
}

/** `/Team/3/Line+B`. */
export function teamPath(team: { teamid: number; name: string }): string {
  return `/Team/${team.teamid}/${plusWords(team.name)}`;
}

/** `/c/Bench+Grinder`. */
export function categoryPath(title: string): string {
  return `/c/${plusWords(title)}`;
}

/** `/Item/Nuts_Bolts`: punctuation is dropped, spaces and slashes become underscores. */
export function itemPath(name: string): string {
  const plain = name
    .replaceAll(/[&,]/g, ' ')
    .replaceAll('/', '_')
    .trim()
    .replaceAll(/\s+/g, '_')
    .replaceAll(/_+/g, '_');
  return `/Item/${encodeURIComponent(plain).replaceAll("'", '%27').replaceAll('(', '%28').replaceAll(')', '%29')}`;
}

/** The page of a wiki: `/c/Bench+Grinder`, `/Item/Drive_belt`, `/Info/Licensing`, `/Wiki/…`, `/Team/3`, `/User/7`. */
export function wikiPath(namespace: WikiNamespace, title: string): string {
  switch (namespace) {
    case 'CATEGORY':
      return categoryPath(title);
    case 'ITEM':
      return itemPath(title);
    case 'TEAM':
      return `/Team/${plusWords(title)}`;
    case 'USER':
      return `/User/${plusWords(title)}`;
    case 'INFO':
      return `/Info/${plusWords(title)}`;
    case 'WIKI':
      return `/Wiki/${plusWords(title)}`;
  }
}

const thisMachine = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Whether other devices can reach an address, and not only the machine on which the site runs. */
export function isReachable(address: string): boolean {
  return URL.canParse(address) && !thisMachine.test(new URL(address).hostname);
}
