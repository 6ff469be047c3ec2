import type { AdminSection } from '#desktop/renderer/screens/administration/sections.ts';

import { count } from '../plural.ts';

/** The frame of the administration. */
export const administrationText = {
  sectionsLabel: 'Administration sections',
  sections: {
    administration: 'Overview',
    accounts: 'People and teams',
    sessionsOfSite: 'Sessions and devices',
    stations: 'Stations',
    site: 'Site',
    signInSettings: 'Sign-in',
    approvalProcesses: 'Approvals',
    mail: 'Mail',
    webhooks: 'Webhooks',
    apps: 'Apps',
    backups: 'Backups',
    jobs: 'Jobs',
    audit: 'Audit log',
  } satisfies Record<AdminSection, string>,
  forAdministrators: 'This is for administrators',
  forAdministratorsHint: 'Ask an administrator of this site if something here needs to change.',
  notSaved: (number: number) => `${count(number, 'change', 'changes')} not saved`,
  save: 'Save',
  discard: 'Discard',
  leaveTitle: 'Leave without saving?',
  leaveBody: (number: number) =>
    number === 1 ? 'Your change on this page is lost.' : `Your ${number} changes on this page are lost.`,
  leave: 'Leave without saving',
  stay: 'Stay here',
  lastBackup: 'Last backup',
  noBackup: 'None yet',
  tested: 'restore tested',
  notTested: 'restore not tested',
  testFailed: 'restore test failed',
  backupFailed: 'The last attempt failed.',
  devices: 'Devices',
  connected: (number: number) => `${number} connected now`,
  behind: (number: number) => `${number} not up to date`,
  waiting: (number: number) => `${count(number, 'device has', 'devices have')} unsent changes`,
};
