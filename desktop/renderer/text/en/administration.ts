import type { AdminSection } from '#desktop/renderer/screens/administration/sections.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** The frame of the administration. */
export const administrationText = inLanguage('administration', {
  sectionsLabel: 'Administration sections',
  sections: {
    administration: 'Overview',
    accounts: 'People',
    teamsOfSite: 'Teams',
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
  notSaved: message<[number: number]>(
    '{number, plural, one {# change} other {# changes}} not saved',
    'number',
  ),
  save: 'Save',
  discard: 'Discard',
  leaveTitle: 'Leave without saving?',
  leaveBody: message<[number: number]>(
    '{number, plural, one {Your change on this page is lost.} other {Your {number} changes on this page are lost.}}',
    'number',
  ),
  leave: 'Leave without saving',
  stay: 'Stay here',
  lastBackup: 'Last backup',
  noBackup: 'None yet',
  tested: 'restore tested',
  notTested: 'restore not tested',
  testFailed: 'restore test failed',
  backupFailed: 'The last attempt failed.',
  devices: 'Devices',
  connected: message<[number: number]>('{number} connected now', 'number'),
  behind: message<[number: number]>('{number} not up to date', 'number'),
  waiting: message<[number: number]>(
    '{number, plural, one {# device has} other {# devices have}} unsent changes',
    'number',
  ),
});
