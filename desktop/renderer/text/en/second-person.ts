import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Words of fields in which a second person confirms the values of a step. */
export const secondPersonText = inLanguage('secondPerson', {
  ask: 'Have someone confirm',
  askAgain: 'Have it confirmed again',
  verify: 'Verify with password',
  states: { named: 'Named, not verified', confirmed: 'Confirmed', lost: 'No longer confirmed' },
  instead: message<[name: string, how: string, named: string]>(
    '{name}, {how}. {named} was named.',
    'name',
    'how',
    'named',
  ),
  lost: message<[name: string]>('The values changed after {name} confirmed them or was named.', 'name'),
  methods: { password: 'with password', token: 'with single sign-on' },
  late: message<[how: string]>('{how}, after the end of the order', 'how'),
  at: message<[method: string, time: string]>('{method}, {time}', 'method', 'time'),
  title: message<[label: string]>('{label}: second person', 'label'),
  lead: 'Check these values. They are what is confirmed; if one of them changes, the confirmation is lost.',
  noValues: 'Nothing else is recorded at this step.',
  who: 'Who confirms',
  whoHint: 'Someone other than the person who works on the order or recorded the values.',
  whoPlaceholder: 'Search for a name',
  open: 'Show people',
  none: 'Nobody with this name may confirm here',
  needPerson: 'Choose who confirms',
  password: (name: string) => (name === '' ? 'Their password' : `Password of ${name}`),
  passwordHint: 'Goes to the server only. It is not stored on this device.',
  needPassword: 'Enter the password, or record the name without it',
  confirm: 'Confirm',
  nameOnly: 'Only record the name',
  confirmed: message<[name: string]>('{name} confirmed the step', 'name'),
  named: message<[name: string]>('{name} is recorded as named, not verified', 'name'),
  offline: 'Verifying needs a connection',
  offlineHint:
    'The name is recorded as named, not verified. The person can verify it later, signed in as themselves.',
  waiting: 'The values are being sent to the server. You can confirm in a moment.',
  changed: 'The values changed meanwhile. Check them again, then confirm.',
  verifyTitle: message<[label: string]>('Confirm “{label}”', 'label'),
  verified: 'You have confirmed the step',
  toConfirm: 'Waiting for your confirmation',
  toConfirmTitle: message<[number: string, label: string]>('{number}: {label}', 'number', 'label'),
  toConfirmBy: message<[name: string, since: string]>('Named by {name}, {since}', 'name', 'since'),
});
