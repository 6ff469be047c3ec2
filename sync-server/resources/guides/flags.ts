import type { FlagRecord } from '#shared/model/guide-record.ts';

interface Flag {
  flagid: string;
  title: string;
  text: string;
  icon: string;
  /** Privileges that may set and unset it. */
  setBy: string[];
}

/** Flags that guides carry (spec, "Flags"; titles and texts as live servers show them). */
const flags: Flag[] = [
  {
    flagid: 'GUIDE_STARRED',
    title: 'Featured Guide',
    text: 'This guide has been found to be exceptionally cool by the site staff.',
    icon: 'STAR',
    setBy: ['Admin', 'Moderator'],
  },
  {
    flagid: 'GUIDE_FEATURED_STUDENT',
    title: 'Featured Student Guide',
    text: 'An award-winning student wrote this guide.',
    icon: 'STUDENT',
    setBy: ['Admin', 'Moderator'],
  },
  {
    flagid: 'GUIDE_PREREQ_ONLY',
    title: 'Prerequisite-only Guide',
    text: 'This guide is only meant to be part of another guide.',
    icon: 'PREREQ',
    setBy: ['Admin', 'Moderator', 'Author', 'User'],
  },
  {
    flagid: 'GUIDE_IN_PROGRESS',
    title: 'In Progress',
    text: 'This guide is currently being written. Reload periodically to see the latest changes.',
    icon: 'PENCIL',
    setBy: ['Admin', 'Moderator', 'Author', 'User'],
  },
  {
    flagid: 'GUIDE_USER_CONTRIBUTED',
    title: 'User-Contributed Guide',
    text: "This guide is not managed by the site's staff.",
    icon: 'PERSON',
    setBy: ['Admin', 'Moderator'],
  },
  {
    flagid: 'GUIDE_ARCHIVED',
    title: 'Archived Guide',
    text: 'This guide is kept for reference only.',
    icon: 'ARCHIVE',
    setBy: ['Admin', 'Moderator'],
  },
];

const byId = new Map(flags.map((flag) => [flag.flagid, flag]));

/** Flags whose guides are listed as featured (spec, GET /guides/featured). */
export const featuredFlags = ['GUIDE_STARRED', 'GUIDE_FEATURED_STUDENT'];

/** The flag as an object; one we do not know (imported) shows its id. */
export function flagRecordOf(flagid: string, baseUrl: string): FlagRecord {
  const flag = byId.get(flagid);
  return {
    flagid,
    title: flag?.title ?? flagid,
    text: flag?.text ?? '',
    image: `${baseUrl}/static/images/flags/svg/${flag?.icon ?? 'FLAG'}.svg`,
  };
}

/** Flags that a person with these privileges may set and unset. */
export function userFlagRecords(privileges: string[], baseUrl = ''): FlagRecord[] {
  return flags
    .filter((flag) => flag.setBy.some((one) => privileges.includes(one)))
    .map((flag) => flagRecordOf(flag.flagid, baseUrl));
}
