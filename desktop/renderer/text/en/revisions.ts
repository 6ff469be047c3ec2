/** Words of the revision of a guide by which an order is worked. */
export const revisionText = {
  title: 'Revision',
  name: (number: number, date: string) => `Revision ${number} of ${date}`,
  withState: (name: string, state: string) => `${name} · ${state}`,
  states: { approved: 'approved', unapproved: 'not approved' },
  withoutNumber: 'Revision without a number',
  notNumbered: 'Revision not yet numbered',
  changed: (name: string) => `${name}, with changes not yet numbered`,
  decisions: {
    start: 'Started by',
    switch: 'Changed to',
    keep: 'Not changed to',
  },
  unknown: 'Not recorded',
  changedTitle: (name: string) => `The guide changed: ${name}`,
  ofRelease: (words: string, title: string) => `${words} · release ${title}`,
  planned: (release: string, name: string) => `You work by release ${release}, as planned: ${name}`,
  plannedHint: 'The guide has changed since. This order stays with its release.',
  plannedMissing:
    'Its text is not on this device, so you see the present guide. Connect to the server to get it.',
  still: (name: string) => `You still work by ${name}. See what changed, then decide how to go on.`,
  missing: (name: string) =>
    `You started by ${name}. Its text is not on this device, so you see the changed guide. Decide how to go on.`,
  kept: (name: string) => `You work by ${name}`,
  newer: (name: string) => `The guide has a newer one: ${name}.`,
  look: 'Show what changed',
  noDifference: 'The earlier text is not on this device, so the changes cannot be shown.',
  valuesStay:
    'What you recorded stays either way. Fields that the newer revision changed or added are asked after the change.',
  keep: (number: number | null) => (number === null ? 'Keep my revision' : `Keep revision ${number}`),
  change: (number: number | null) => (number === null ? 'Change to it' : `Change to revision ${number}`),
  decided: { keep: 'You keep your revision', switch: 'You now work by the newer revision' },
};

/** Words of the record of an order, and of its hash. */
export const recordText = {
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
  signed: (meaning: string, name: string) => `${meaning} ${name}`,
  methods: { password: 'signed with password', token: 'signed with single sign-on' },
  doesNotApply: 'Record changed since',
  sign: 'Sign the record',
  signTitle: (number: string) => `Sign the record of ${number}`,
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
};
