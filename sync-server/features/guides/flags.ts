import type { FlagRecord } from '#shared/model/guide-record.ts';
import { can } from '#server/features/can.ts';
import { maySetFlag } from './access.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** Icons of flags (`media/icons.ts` draws them); `FLAG` for unknown flags. */
export type FlagIcon = 'ARCHIVE' | 'FLAG' | 'PENCIL' | 'PERSON' | 'PREREQ' | 'STAR' | 'STUDENT';

interface Flag {
  flagid: string;
  title: string;
  text: string;
  icon: FlagIcon;
}

/** Flags of guides (spec, "Flags"; titles and texts as on live servers). */
const flags: Flag[] = [
  {
    flagid: 'GUIDE_STARRED',
    title: 'Featured Guide',
    text: 'This guide has been found to be exceptionally cool by the site staff.',
    icon: 'STAR',
  },
  {
    flagid: 'GUIDE_FEATURED_STUDENT',
    title: 'Featured Student Guide',
    text: 'An award-winning student wrote this guide.',
    icon: 'STUDENT',
  },
  {
    flagid: 'GUIDE_PREREQ_ONLY',
    title: 'Prerequisite-only Guide',
    text: 'This guide is only meant to be part of another guide.',
    icon: 'PREREQ',
  },
  {
    flagid: 'GUIDE_IN_PROGRESS',
    title: 'In Progress',
    text: 'This guide is currently being written. Reload periodically to see the latest changes.',
    icon: 'PENCIL',
  },
  {
    flagid: 'GUIDE_USER_CONTRIBUTED',
    title: 'User-Contributed Guide',
    text: "This guide is not managed by the site's staff.",
    icon: 'PERSON',
  },
  {
    flagid: 'GUIDE_ARCHIVED',
    title: 'Archived Guide',
    text: 'This guide is kept for reference only.',
    icon: 'ARCHIVE',
  },
];

/** Flags of pages, in addition to those of guides. The specification has none; these are our own. */
const wikiFlags: Flag[] = [
  {
    flagid: 'WIKI_STUB',
    title: 'Stub',
    text: 'This page is short. If you know more, add it.',
    icon: 'PENCIL',
  },
  {
    flagid: 'WIKI_DRAFT',
    title: 'Draft',
    text: 'This page is being written; what it says may change.',
    icon: 'PENCIL',
  },
  {
    flagid: 'WIKI_CHECKED',
    title: 'Checked',
    text: 'The site staff has checked what this page says.',
    icon: 'STAR',
  },
];

const guideFlagIds: ReadonlySet<string> = new Set(flags.map(({ flagid }) => flagid));
const byId = new Map([...flags, ...wikiFlags].map((flag) => [flag.flagid, flag]));

/** Title and text of each flag, by id. */
export const knownFlags: ReadonlyMap<string, { title: string; text: string }> = byId;

/** Flags whose guides are listed as featured (spec, GET /guides/featured). */
export const featuredFlags = ['GUIDE_STARRED', 'GUIDE_FEATURED_STUDENT'];

/** A flag as an object. An unknown (imported) flag has its id as its title. */
export function flagRecordOf(flagid: string, baseUrl: string): FlagRecord {
  const flag = byId.get(flagid);
  return {
    flagid,
    title: flag?.title ?? flagid,
    text: flag?.text ?? '',
    image: `${baseUrl}/static/images/flags/svg/${flag?.icon ?? 'FLAG'}.svg`,
  };
}

/** Flags of guides, or of pages only, that a person with these privileges may set and unset. */
export function userFlagRecords(
  privileges: readonly string[],
  baseUrl = '',
  of: 'guide' | 'wiki' = 'guide',
): FlagRecord[] {
  return (of === 'guide' ? flags : wikiFlags)
    .filter(({ flagid }) => maySetFlag(privileges, flagid))
    .map(({ flagid }) => flagRecordOf(flagid, baseUrl));
}

/**
 * The first flag that an edit sets or unsets although the caller may not; undefined if there is none. Pages can have
 * the flags of guides and their own. An unknown (imported) flag can be removed from a page, but not set.
 */
export function refusedFlag(
  viewer: Viewer,
  before: readonly string[],
  after: readonly string[],
  of: 'guide' | 'wiki',
): string | undefined {
  const isKnown = (flag: string): boolean => (of === 'wiki' ? byId.has(flag) : guideFlagIds.has(flag));
  const added = after.filter((flag) => !before.includes(flag));
  const removed = before.filter((flag) => !after.includes(flag));
  const isRefused = (flag: string): boolean => isKnown(flag) && !can(viewer, 'flag.set', flag);
  return [...added, ...removed].find(
    (flag) => isRefused(flag) || (!isKnown(flag) && (of === 'guide' || added.includes(flag))),
  );
}
