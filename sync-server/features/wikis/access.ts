import type { WikiVersion } from '#shared/model/wiki.ts';
import type { Viewer } from '#server/core/viewer.ts';

import { isAmong, wikiAudience } from '../audiences.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** As much of a wiki as decides who may see and edit it. */
export type WikiAccess = Pick<WikiVersion, 'namespace' | 'title'>;

/** Reputation above which a person names wikis as authors do (API facts 4). */
const trustedReputation = 500;

/**
 * Whether the page is the viewer's own: a USER page is that person's, a TEAM page its members' (the owner is one);
 * undefined: a page of the site.
 */
function isOwn(viewer: Viewer, { namespace, title }: WikiAccess): boolean | undefined {
  if (namespace === 'USER') return viewer.isAdmin || (isSignedIn(viewer) && title === String(viewer.userid));
  if (namespace === 'TEAM') return viewer.isAdmin || viewer.teams.some((teamid) => title === String(teamid));
  return undefined;
}

/** Writes what everybody is shown at once. */
function writes(viewer: Viewer, wiki: WikiAccess): boolean {
  return isOwn(viewer, wiki) ?? holds(viewer, editors);
}

/** Edits; what a person writes who may not do it at once waits to be patrolled. INFO is the site's own word. */
function edit(viewer: Viewer, wiki: WikiAccess): boolean {
  return isOwn(viewer, wiki) ?? (wiki.namespace === 'INFO' ? holds(viewer, editors) : isSignedIn(viewer));
}

/**
 * Wikis: whoever may read the site sees them. Authors write them, everybody signed in proposes edits of CATEGORY, ITEM
 * and WIKI, which moderators patrol; pages of people and teams are theirs.
 */
export const wikiRules = {
  'wiki.see': (viewer: Viewer, _wiki: WikiAccess): boolean => isAmong(viewer, wikiAudience()),
  'wiki.create': writes,
  'wiki.edit': edit,
  'wiki.publish': writes,
  'wiki.rename': (viewer: Viewer, wiki: WikiAccess): boolean =>
    isOwn(viewer, wiki) === undefined && holds(viewer, moderators),
  'wiki.delete': (viewer: Viewer, wiki: WikiAccess): boolean =>
    isOwn(viewer, wiki) ?? holds(viewer, moderators),
  'wiki.patrol': (viewer: Viewer, _wiki: WikiAccess): boolean => holds(viewer, moderators),
  'wiki.tag': writes,
  /** `reputation`: the viewer's own. */
  'wiki.setDisplayTitle': (viewer: Viewer, wiki: WikiAccess & { reputation: number }): boolean =>
    isOwn(viewer, wiki) ?? (holds(viewer, editors) || wiki.reputation > trustedReputation),
  'wiki.score': (viewer: Viewer, _wiki: WikiAccess): boolean => viewer.isAdmin,
};
