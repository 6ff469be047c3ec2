import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const settingsText = inLanguage('settings', {
  title: 'Settings',
  display: 'Display',
  account: 'Account',
  toAdministration: 'Open the administration',
  signedInAs: message<[name: string, server: string]>('Signed in as {name} at {server}', 'name', 'server'),
  journalFile: 'Your work is written to a file on this computer before it counts as saved.',
  journalPrivate:
    'Your work is written to this browser’s private storage before it counts as saved. It can still be lost if the disk is full: the desktop app is safer.',
  journalNone: 'This page cannot keep your work: nothing is stored on this device.',
  signOutTitle: 'Sign out?',
  signOutRemove: 'Remove my library from this device',
  signOutRemoveHint:
    'Your guides, pictures, history and unsent changes are removed from this device. What is on the server stays there, and other people’s libraries stay on this device.',
  signOutRemoveWork: message<[number: number]>(
    '{number, plural, one {# change is on this device only. Removing the library deletes it} other {# changes are on this device only. Removing the library deletes them}} for good.',
    'number',
  ),
  signOutExport: 'To keep your work, export it to a file first. You can import the file on any device.',
  signOutAndRemove: 'Sign out and remove',
  signOutConfirmWork: 'Delete my unsent changes too',
  signOutWaiting: message<[number: number]>(
    '{number, plural, one {# change is on this device only. It stays here and is} other {# changes are on this device only. They stay here and are}} sent when you sign in again on this device.',
    'number',
  ),
  signOutAttention: message<[number: number]>(
    '{number, plural, one {# change needs} other {# changes need}} your decision or attention first and can’t be sent automatically.',
    'number',
  ),
  lookFirst: 'Show in Sync',
  stay: 'Stay signed in',
  signOutHint:
    'What is not yet on the server stays on this device for your next sign-in, unless you remove your library when you sign out.',
});
