import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Texts of a station while somebody is signed in. */
export const stationHomeText = inLanguage('stationHome', {
  title: message<[station: string]>('Your work at {station}', 'station'),
  home: 'Home',
  toHome: message<[station: string]>('{station}: home', 'station'),
  guides: 'Guides',
  running: 'Running',
  paused: 'Paused',
  continueAt: message<[step: number | null]>(
    '{step, select, null {Continue} other {Continue at step {step}}}',
    'step',
  ),
  resumeAt: message<[step: number | null]>(
    '{step, select, null {Resume} other {Resume at step {step}}}',
    'step',
  ),
  others: 'Also running here',
  handedOver: 'Handed over',
  guidesHere: 'Guides for this station',
  nothing: 'Nothing is running or planned for you here',
  nothingHint: 'Choose a guide, or start a work order by its number.',
  scan: 'Scan the number of an order or a machine at any time.',
  allGuides: 'All guides',
  reportProblem: 'Deviations',
  myWork: 'Work orders',
  locksIn: message<[seconds: number]>('Locks in {seconds} s', 'seconds'),
  stay: 'Tap to stay',

  lock: 'Lock',
  switch: 'Switch',
  switchPerson: 'Switch person',
  switchTitle: 'Who works now?',
  switchLead: message<[ask: string, name: string]>('{ask}. The orders of {name} go on.', 'ask', 'name'),
  personMenu: message<[name: string]>('{name}: sign out and display', 'name'),
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

  signOutTitle: 'Sign out?',
  signOutFree: 'Everything you recorded is kept. The next time you begin at the home screen.',
  signOutRunning: message<[number: number]>(
    '{number, plural, one {# work order of yours is running here. What happens to it?} other {# work orders of yours are running here. What happens to them?}}',
    'number',
  ),
  ways: {
    pause: ['Pause', 'The time stops. It waits for you.'],
    'hand-over': ['Hand over', 'The time stops. Others can take it over, and read your note.'],
    'keep-running': ['Keep running', 'The time goes on while you are away.'],
  } as const,
  what: 'What happens to your work order',
  note: 'Note for whoever takes over',
  needNote: 'Say what is done and what is next',
});
