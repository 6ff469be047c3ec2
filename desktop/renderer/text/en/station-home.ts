import { count } from '../plural.ts';

/** Texts of a station while somebody is signed in. */
export const stationHomeText = {
  title: (station: string) => `Your work at ${station}`,
  home: 'Home',
  toHome: (station: string) => `${station}: home`,
  guides: 'Guides',
  running: 'Running',
  paused: 'Paused',
  continueAt: (step: number | null) => (step === null ? 'Continue' : `Continue at step ${step}`),
  resumeAt: (step: number | null) => (step === null ? 'Resume' : `Resume at step ${step}`),
  others: 'Also running here',
  handedOver: 'Handed over',
  guidesHere: 'Guides for this station',
  nothing: 'Nothing is running or planned for you here',
  nothingHint: 'Choose a guide, or start a work order by its number.',
  scan: 'Scan the number of an order or a machine at any time.',
  allGuides: 'All guides',
  reportProblem: 'Deviations',
  myWork: 'Work orders',
  locksIn: (seconds: number) => `Locks in ${seconds} s`,
  stay: 'Tap to stay',

  lock: 'Lock',
  switch: 'Switch',
  switchPerson: 'Switch person',
  switchTitle: 'Who works now?',
  switchLead: (ask: string, name: string) => `${ask}. The orders of ${name} go on.`,
  personMenu: (name: string) => `${name}: sign out and display`,
  signOut: 'Sign out',
  fullScreen: 'Full screen',

  noLinks: 'This opens outside of Benchbook, which a station does not do. Open it on another device.',
  noDocuments: 'Documents do not open at a station. Open this one on another device.',
  noSaving: 'A station saves no files. Save this one on another device.',
  noPrint: 'A station does not print. Print it on another device.',

  keys: {
    label: 'Keyboard on the screen',
    shift: 'Capital letters',
    erase: 'Delete a character',
    enter: 'Enter',
    line: 'New line',
    space: 'Space',
    hide: 'Hide the keyboard',
  },

  camera: {
    title: 'Take a photo',
    take: 'Take the photo',
    starting: 'The camera starts …',
    missing: 'There is no camera',
    missingHint:
      'This station has no camera that the app can use. Connect one, or take the photo on a phone.',
    noFiles: 'Files cannot be chosen at a station. Do this on another device.',
  },

  signOutTitle: 'Sign out?',
  signOutFree: 'Everything you recorded is kept. The next time you begin at the home screen.',
  signOutRunning: (number: number) =>
    `${count(number, 'work order', 'work orders')} of yours ${number === 1 ? 'is' : 'are'} running here. What happens to ${number === 1 ? 'it' : 'them'}?`,
  ways: {
    pause: ['Pause', 'The time stops. It waits for you.'],
    'hand-over': ['Hand over', 'The time stops. Others can take it over, and read your note.'],
    'keep-running': ['Keep running', 'The time goes on while you are away.'],
  } as const,
  what: 'What happens to your work order',
  note: 'Note for whoever takes over',
  needNote: 'Say what is done and what is next',
};
