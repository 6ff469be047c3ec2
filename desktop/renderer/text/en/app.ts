import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const appText = inLanguage('app', {
  supportDetails: 'Details for support',
  acting: 'Acting as another person',
  actingAs: message<[name: string]>('You are acting as {name}.', 'name'),
  actingHint: message<[administrator: string]>(
    'Everything you do is recorded under {administrator}. This session ends after an hour.',
    'administrator',
  ),
  stopActing: 'Stop',
  name: 'Benchbook',
  title: message<[page: string]>('{page} · Benchbook', 'page'),
  skip: 'Skip to content',
  mainNavigation: 'Main',
  library: 'Library',
  pages: 'Pages',
  people: 'People',
  archives: 'Archives',
  training: 'Training',
  approvals: 'Approvals',
  feedback: 'Feedback',
  feedbackWith: message<[number: number]>('Feedback, {number} waiting for you', 'number'),
  approvalsWith: message<[number: number]>('Approvals, {number} waiting for you', 'number'),
  workOrders: 'Work orders',
  administration: 'Administration',
  sync: 'Sync',
  understood: 'OK',
  archivesWith: message<[news: number]>(
    'Archives, {news, plural, one {# new item} other {# new items}}',
    'news',
  ),
  syncWith: message<[waiting: number]>(
    'Sync, {waiting, plural, one {# item needs} other {# items need}} your attention',
    'waiting',
  ),
  search: 'Search guides, parts, tools, steps',
  goTo: 'Go to',
  clearSearch: 'Clear search',
  menu: 'Menu',
  accountOf: message<[name: string]>('{name}: account and display', 'name'),
  density: 'Control size',
  densities: { desktop: 'Desktop', touch: 'Touch', kiosk: 'Kiosk' },
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark', bright: 'Bright light' },
  language: 'Language',
  // Each language by its own name, so that whoever chose the wrong one finds theirs.
  languages: { system: 'System', en: 'English', de: 'Deutsch' },
  settings: 'Settings',
  profile: 'My profile',
  signOut: 'Sign out',
  signInAgain: 'Sign in again',
  loading: 'Loading',
  loadingLate:
    'This takes longer than usual. If nothing appears, check that the disk has free space, then open the app again. Your saved work is kept.',
  restoring: 'Starting Benchbook',
  close: 'Close',
  showAll: message<[number: number]>('Show all {number}', 'number'),
  cancel: 'Cancel',
  back: 'Back',
  save: 'Save',
  tryAgain: 'Try again',
  crashed: 'Couldn’t show this screen',
  crashedHint: 'Everything you did is still saved on this device.',
  startFailed: 'Couldn’t open the data on this device',
  startFailedHint: 'Everything saved on this device is still there.',
  notFound: 'Page not found',
  notFoundHint: 'The address may be old or mistyped.',
  toLibrary: 'Go to the library',
  guideLeft: 'You can no longer see this guide',
  guideLeftHint: 'It may have been made private or deleted.',
  guideLeftKept: 'What you wrote is kept under Sync.',
  savedOnDevice: 'Saved on this device',
  onTheServer: 'On the server',
  saving: 'Saving',
});

/** Texts for a cleared part of this device's storage. */
export const lossText = inLanguage('loss', {
  seen: 'OK',
  journal: {
    title: 'The record of your work on this device was cleared',
    hint: 'Changes and drafts that were not yet on the server were restored from a second copy. Photos and files waiting for upload may be lost: Sync lists them.',
    signedOut:
      'The browser or someone clearing its data removed it. Sign in to restore changes and drafts that were not yet on the server from a second copy.',
  },
  damage: {
    title: 'Couldn’t read some of what was saved on this device',
    between: message<[since: string, until: string]>(
      'It was saved between {since} and {until}.',
      'since',
      'until',
    ),
    since: message<[moment: string]>('It was saved after {moment}.', 'moment'),
    until: message<[moment: string]>('It was saved before {moment}.', 'moment'),
    restored: 'Changes and drafts that were not yet on the server were restored from a second copy.',
    gone: 'The second copy on this device is gone too, so changes that were not yet on the server may be missing. Check your work from that time.',
    about: message<[subjects: string]>('Changes to these are missing: {subjects}.', 'subjects'),
    exporting: 'Export for support',
  },
  databases: {
    title: 'The guides on this device were cleared',
    hint: 'Guides are downloaded from the server again. Changes and drafts that were not yet there were restored from the record of your work.',
    signedOut:
      'Sign in to download them from the server again. Changes and drafts that were not yet there are then restored from the record of your work.',
  },
});

export const unitText = inLanguage('unit', {
  minutes: message<[value: number]>('{value} min', 'value'),
  hours: message<[value: number]>('{value} h', 'value'),
  days: message<[value: number]>('{value, plural, one {1 day} other {{value} days}}', 'value'),
  /** The time that a guide requires, in whole units. */
  counts: {
    minute: message<[count: number]>('{count, plural, one {# minute} other {# minutes}}', 'count'),
    hour: message<[count: number]>('{count, plural, one {# hour} other {# hours}}', 'count'),
    day: message<[count: number]>('{count, plural, one {# day} other {# days}}', 'count'),
    week: message<[count: number]>('{count, plural, one {# week} other {# weeks}}', 'count'),
  },
  noEstimate: 'No estimate',
  justNow: 'just now',
});

export const difficultyNames = inLanguage('difficulty', {
  label: message<[name: string]>('Difficulty: {name}', 'name'),
  names: {
    'Very easy': 'Very easy',
    Easy: 'Easy',
    Moderate: 'Moderate',
    Difficult: 'Difficult',
    'Very difficult': 'Very difficult',
  } as Record<string, string>,
});

/** Texts of the sync status. */
export const statusText = inLanguage('status', {
  label: 'Sync status',
  offline: message<[words: string]>('Offline · {words}', 'words'),
  savedHere: message<[pending: number]>(
    '{pending, plural, one {# change} other {# changes}} saved on this device',
    'pending',
  ),
  synced: message<[since: string]>('Synced {since}', 'since'),
  elsewhere: message<[own: string, number: number, server: string | null]>(
    '{own} · {number, plural, one {# change} other {# changes}} waiting {server, select, null {elsewhere} other {for {server}}}',
    'own',
    'number',
    'server',
  ),
  lastSynced: message<[since: string]>('synced {since}', 'since'),
  neverSynced: 'Not synced yet',
  nothingSynced: 'nothing synced yet',
  syncing: 'Syncing',
  sending: message<[pending: number]>(
    'Syncing · {pending, plural, one {# change} other {# changes}} saved on this device',
    'pending',
  ),
  waiting: message<[pending: number]>(
    'Online · {pending, plural, one {# change} other {# changes}} saved on this device',
    'pending',
  ),
  firstSync: 'First sync',
  blocked: 'Something is blocking the connection to the server',
  blockedWith: message<[pending: number]>(
    'Connection to the server blocked · {pending, plural, one {# change} other {# changes}} saved on this device',
    'pending',
  ),
  asked: message<[time: string]>('The server asked this device to wait until {time}', 'time'),
  askedWith: message<[time: string, pending: number]>(
    'The server asked this device to wait until {time} · {pending, plural, one {# change} other {# changes}} saved on this device',
    'time',
    'pending',
  ),
  firstSyncOf: message<[received: string, total: string]>(
    'First sync · {received} of {total}',
    'received',
    'total',
  ),
  decisions: message<[number: number]>(
    '{number, plural, one {# decision is} other {# decisions are}} waiting for you',
    'number',
  ),
  parked: message<[number: number]>(
    '{number, plural, one {# change needs} other {# changes need}} your attention',
    'number',
  ),
  signIn: 'Sign in to sync',
  tooOld: {
    app: 'Update the app to continue syncing. Your work is kept.',
    server: 'The server is older than this app. Ask your administrator to update it. Your work is kept.',
  },
  signInToSend: message<[pending: number]>(
    'Sign in to send {pending, plural, one {# change} other {# changes}}',
    'pending',
  ),
});
