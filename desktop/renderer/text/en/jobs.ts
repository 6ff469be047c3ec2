import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Jobs, backups, mail and deliveries of webhooks. */
export const jobsText = inLanguage('jobs', {
  title: 'Jobs',
  lead: 'Work that the server does in the background, newest first.',
  failed: 'Couldn’t load the jobs',
  none: 'No jobs yet',
  noneHint: 'Exports, imports and other long work are listed here.',
  refresh: 'Refresh',
  kinds: {
    archive: 'Make an archive',
    'omanual-make': 'Make an archive',
    'omanual-import': 'Import an archive',
    'training-import': 'Import a training module',
  } as Readonly<Record<string, string>>,
  states: {
    waiting: 'Waiting',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  began: message<[when: string]>('Started {when}', 'when'),
  ended: message<[when: string]>('Ended {when}', 'when'),
  progress: message<[done: string, of: string]>('{done} of {of}', 'done', 'of'),
  server: 'The server',
  by: message<[name: string]>('for {name}', 'name'),

  makeBackup: 'Make a backup now',
  backupBegun: 'The backup has begun. It can take a while.',
  backupRuns: 'A backup is being made',
  backupNext: message<[when: string]>('Next backup: {when}', 'when'),
  backupFolder: message<[folder: string]>('In the folder {folder} of the server', 'folder'),

  testMail: 'Send a test mail to me',
  testMailLead: 'Sends one mail to your address with the saved settings, and waits for the mail server.',
  testMailSent: 'The mail server took the test mail. Look into your mailbox.',
  testMailFailed: 'The test mail wasn’t sent',
  queue:
    'Mail is handed to the mail server at once and never stored here, because links in it are secret. A mail that fails is not repeated: the person asks again.',

  deliveries: 'Deliveries',
  showDeliveries: 'Show deliveries',
  deliveriesFailed: 'Couldn’t load the deliveries',
  noDeliveries: 'Nothing has been sent yet',
  deliveryStates: { waiting: 'Waiting', delivered: 'Delivered', dead: 'Failed' },
  attempts: message<[number: number]>('{number, plural, one {# attempt} other {# attempts}}', 'number'),
  nextTry: message<[when: string]>('next attempt {when}', 'when'),
  retry: 'Send again',
  retryOf: message<[what: string]>('Send again: {what}', 'what'),
  retried: 'Sending it again',
  answers: {
    none: 'no answer',
    ok: 'accepted',
    redirect: 'redirected to another address, which is not followed',
    badRequest: 'the receiver didn’t understand it',
    forbidden: 'the receiver refused it: check its access settings',
    notFound: 'nothing is at this address',
    tooMany: 'the receiver is busy and asked for fewer calls',
    client: 'the receiver refused it',
    server: 'the receiver has a fault',
  },
  unreachable: 'the address can’t be reached',
  timedOut: 'the receiver took too long',
  insecure: 'the certificate of the receiver is not valid',
});
