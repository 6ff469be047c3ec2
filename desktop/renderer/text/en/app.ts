import { count } from '../plural.ts';

export const appText = {
  supportDetails: 'Details for support',
  name: 'Benchbook',
  title: (page: string) => `${page} · Benchbook`,
  skip: 'Skip to content',
  mainNavigation: 'Main',
  library: 'Library',
  pages: 'Pages',
  people: 'People',
  archives: 'Archives',
  training: 'Training',
  approvals: 'Approvals',
  approvalsWith: (number: number) => `Approvals, ${number} waiting for you`,
  workOrders: 'Work orders',
  administration: 'Administration',
  sync: 'Sync',
  understood: 'OK',
  archivesWith: (news: number) => `Archives, ${count(news, 'new item', 'new items')}`,
  syncWith: (waiting: number) => `Sync, ${count(waiting, 'item needs', 'items need')} your attention`,
  search: 'Search guides, parts, tools, steps',
  goTo: 'Go to',
  clearSearch: 'Clear search',
  menu: 'Menu',
  accountOf: (name: string) => `${name}: account and display`,
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
  showAll: (number: number) => `Show all ${number}`,
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
};

/** Texts for a cleared part of this device's storage. */
export const lossText = {
  seen: 'OK',
  journal: {
    title: 'The record of your work on this device was cleared',
    hint: 'Changes and drafts that were not yet on the server were restored from a second copy. Photos and files waiting for upload may be lost: Sync lists them.',
    signedOut:
      'The browser or someone clearing its data removed it. Sign in to restore changes and drafts that were not yet on the server from a second copy.',
  },
  damage: {
    title: 'Couldn’t read some of what was saved on this device',
    between: (since: string, until: string) => `It was saved between ${since} and ${until}.`,
    since: (moment: string) => `It was saved after ${moment}.`,
    until: (moment: string) => `It was saved before ${moment}.`,
    restored: 'Changes and drafts that were not yet on the server were restored from a second copy.',
    gone: 'The second copy on this device is gone too, so changes that were not yet on the server may be missing. Check your work from that time.',
    about: (subjects: string) => `Changes to these are missing: ${subjects}.`,
    exporting: 'Export for support',
  },
  databases: {
    title: 'The guides on this device were cleared',
    hint: 'Guides are downloaded from the server again. Changes and drafts that were not yet there were restored from the record of your work.',
    signedOut:
      'Sign in to download them from the server again. Changes and drafts that were not yet there are then restored from the record of your work.',
  },
};

export const unitText = {
  minutes: (value: number) => `${value} min`,
  hours: (value: number) => `${value} h`,
  days: (value: number) => (value === 1 ? '1 day' : `${value} days`),
  justNow: 'just now',
};

export const difficultyNames = {
  label: (name: string) => `Difficulty: ${name.toLowerCase()}`,
};

const changes = (number: number) => count(number, 'change', 'changes');

/** Texts of the sync status. */
export const statusText = {
  label: 'Sync status',
  offline: (words: string) => `Offline · ${words}`,
  savedHere: (pending: number) => `${changes(pending)} saved on this device`,
  synced: (since: string) => `Synced ${since}`,
  elsewhere: (own: string, number: number, server: string | null) =>
    `${own} · ${changes(number)} waiting ${server === null ? 'elsewhere' : `for ${server}`}`,
  lastSynced: (since: string) => `synced ${since}`,
  neverSynced: 'Not synced yet',
  nothingSynced: 'nothing synced yet',
  syncing: 'Syncing',
  sending: (pending: number) => `Syncing · ${changes(pending)} saved on this device`,
  waiting: (pending: number) => `Online · ${changes(pending)} saved on this device`,
  firstSync: 'First sync',
  blocked: 'Something is blocking the connection to the server',
  blockedWith: (pending: number) =>
    `Connection to the server blocked · ${changes(pending)} saved on this device`,
  asked: (time: string) => `The server asked this device to wait until ${time}`,
  askedWith: (time: string, pending: number) =>
    `The server asked this device to wait until ${time} · ${changes(pending)} saved on this device`,
  firstSyncOf: (received: string, total: string) => `First sync · ${received} of ${total}`,
  decisions: (number: number) => `${count(number, 'decision is', 'decisions are')} waiting for you`,
  parked: (number: number) => `${count(number, 'change needs', 'changes need')} your attention`,
  signIn: 'Sign in to sync',
  tooOld: {
    app: 'Update the app to continue syncing. Your work is kept.',
    server: 'The server is older than this app. Ask your administrator to update it. Your work is kept.',
  },
  signInToSend: (pending: number) => `Sign in to send ${changes(pending)}`,
};
