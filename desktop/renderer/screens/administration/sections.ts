import type { ScreenName } from '#shared/rules/screens.ts';

/** The sections of the administration, in groups, in order. Each is a screen. */
export const adminSections = [
  ['administration'],
  ['accounts', 'teamsOfSite', 'sessionsOfSite', 'stations'],
  ['site', 'signInSettings', 'approvalProcesses'],
  ['mail', 'webhooks', 'apps'],
  ['backups', 'jobs', 'audit'],
] as const satisfies readonly (readonly ScreenName[])[];

export type AdminSection = (typeof adminSections)[number][number];

/** The section of screens that are not one themselves. */
const within: Partial<Record<ScreenName, AdminSection>> = {
  administeredAccount: 'accounts',
  administeredTeam: 'teamsOfSite',
  station: 'stations',
  status: 'administration',
};

/** The section that a screen belongs to. */
export function sectionOf(name: ScreenName | undefined): AdminSection | undefined {
  if (name === undefined) return undefined;
  return within[name] ?? adminSections.flat().find((section) => section === name);
}
