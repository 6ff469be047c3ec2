import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Words of the revision of a guide by which an order is worked. */
export const revisionText = inLanguage('revision', {
  title: 'Revision',
  name: message<[number: number, date: string]>('Revision {number} of {date}', 'number', 'date'),
  withState: message<[name: string, state: string]>('{name} · {state}', 'name', 'state'),
  states: { approved: 'approved', unapproved: 'not approved' },
  withoutNumber: 'Revision without a number',
  notNumbered: 'Revision not yet numbered',
  changed: message<[name: string]>('{name}, with changes not yet numbered', 'name'),
  decisions: {
    start: 'Started by',
    switch: 'Changed to',
    keep: 'Not changed to',
  },
  unknown: 'Not recorded',
  changedTitle: message<[name: string]>('The guide changed: {name}', 'name'),
  ofRelease: message<[words: string, title: string]>('{words} · release {title}', 'words', 'title'),
  planned: message<[release: string, name: string]>(
    'You work by release {release}, as planned: {name}',
    'release',
    'name',
  ),
  plannedHint: 'The guide has changed since. This order stays with its release.',
  plannedMissing:
    'Its text is not on this device, so you see the present guide. Connect to the server to get it.',
  still: message<[name: string]>(
    'You still work by {name}. See what changed, then decide how to go on.',
    'name',
  ),
  missing: message<[name: string]>(
    'You started by {name}. Its text is not on this device, so you see the changed guide. Decide how to go on.',
    'name',
  ),
  kept: message<[name: string]>('You work by {name}', 'name'),
  newer: message<[name: string]>('The guide has a newer one: {name}.', 'name'),
  look: 'Show what changed',
  noDifference: 'The earlier text is not on this device, so the changes cannot be shown.',
  valuesStay:
    'What you recorded stays either way. Fields that the newer revision changed or added are asked after the change.',
  keep: message<[number: number | null]>(
    '{number, select, null {Keep my revision} other {Keep revision {number}}}',
    'number',
  ),
  change: message<[number: number | null]>(
    '{number, select, null {Change to it} other {Change to revision {number}}}',
    'number',
  ),
  decided: { keep: 'You keep your revision', switch: 'You now work by the newer revision' },
});

/** Words of the record of an order, and of its hash. */
export const recordText = inLanguage('record', {
  title: 'Record',
  states: {
    waiting: 'No hash yet',
    unsealed: 'Without a hash',
    matches: 'This record matches',
    differs: 'This record differs',
  },
  hints: {
    waiting: 'The server stores the SHA-256 of the record when it has the end of the order.',
    unsealed: 'This order ended before hashes of records were stored.',
    matches: 'It is what the server stored at the end of the order (SHA-256):',
    differs:
      'It is not what the server stored at the end of the order. Ask an administrator to check the audit log. Stored SHA-256:',
  },
  signatures: 'Signatures',
  notSigned: 'Nobody has signed this record.',
  meanings: { performed: 'Performed by', reviewed: 'Reviewed by', released: 'Released by' },
  signed: message<[meaning: string, name: string]>('{meaning} {name}', 'meaning', 'name'),
  methods: { password: 'signed with password', token: 'signed with single sign-on' },
  doesNotApply: 'Record changed since',
  sign: 'Sign the record',
  signTitle: message<[number: string]>('Sign the record of {number}', 'number'),
  signLead: 'Your signature belongs to the record as it is now. It cannot be changed or removed.',
  meaning: 'Your signature means',
  ownMeanings: { performed: 'I performed it', reviewed: 'I reviewed it', released: 'I release it' },
  comment: 'Comment',
  needMeaning: 'Choose what your signature means',
  confirmSign: 'Sign',
  done: 'You have signed the record',
  changed: 'The record is not what you saw any more. Look at it again before you sign.',
  signOffline: 'You need a connection to sign',
  signOfflineHint:
    'A signature needs your password, which only the server checks. Sign when you’re back online.',
});
