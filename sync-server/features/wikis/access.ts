import type { WikiVersion } from '#shared/model/wiki.ts';
import type { Viewer } from '#server/core/viewer.ts';

import { isAmong, wikiAudience } from '../audiences.ts';
import { editors, holds, isSignedIn, moderators } from '#server/core/roles.ts';

/** The part of a wiki that determines who may see and edit it. */
export type WikiAccess = Pick<WikiVersion, 'namespace' | 'title'>;

/** Reputation above which a person may set display titles like an author (API facts 4). */
const trustedReputation = 500;

/**
 * Whether the page is the viewer's own: a USER page belongs to that person, a TEAM page to the members of the team
 * (including its owner). Undefined for other pages.
 */
function isOwn(viewer: Viewer, { namespace, title }: WikiAccess): boolean | undefined {
  if (namespace === 'USER') return viewer.isAdmin || (isSignedIn(viewer) && title === String(viewer.userid));
  if (namespace === 'TEAM') return viewer.isAdmin || viewer.teams.some((teamid) => title === String(teamid));
  return undefined;
}

/** Whether edits by the viewer are published without patrol. */
function writes(viewer: Viewer, wiki: WikiAccess): boolean {
  return isOwn(viewer, wiki) ?? holds(viewer, editors);
}

/** Whether the viewer may edit, possibly waiting for patrol. INFO pages are edited by site authors only. */
function edit(viewer: Viewer, wiki: WikiAccess): boolean {
  return isOwn(viewer, wiki) ?? (wiki.namespace === 'INFO' ? holds(viewer, editors) : isSignedIn(viewer));
}

/**
 * Everyone who may read the site sees wikis. Site authors write them. Everyone who is signed in can propose edits of
 * CATEGORY, ITEM and WIKI pages, which moderators patrol. Pages of people and teams belong to them.
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
  /** `reputation`: that of the viewer. */
  'wiki.setDisplayTitle': (viewer: Viewer, wiki: WikiAccess & { reputation: number }): boolean =>
    isOwn(viewer, wiki) ?? (holds(viewer, editors) || wiki.reputation > trustedReputation),
  'wiki.score': (viewer: Viewer, _wiki: WikiAccess): boolean => viewer.isAdmin,
};
