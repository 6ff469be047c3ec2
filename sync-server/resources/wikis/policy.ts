import type { Principal } from '#server/storage/feed.ts';

/** Who may see a wiki: whoever may read the site. */
export function wikiAudience(): Principal[] {
  return ['public'];
}
