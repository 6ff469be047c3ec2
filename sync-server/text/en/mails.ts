import { message } from '#shared/text/message.ts';

/** How `who` of the mails to an owner names the person who did something. */
const doer = `{who, select, commandLine {an administrator at the command line of the server} self {you, or a person who has your password} resetLink {the person who opened a password reset link} addressLink {the person who opened the link sent to the new address} printedCode {the person who used a printed code} provider {a sign-in with the single sign-on of your organisation, which has your address} other {the administrator {administrator}}}`;

/** The mails of the server. `site`: its name; `name`: of the recipient. */
export const mailTexts = {
  /** Sign-in credentials, within a sentence. */
  credentials: {
    password: 'password',
    address: 'e-mail address',
    ssoUserid: 'single sign-on id',
  },

  invitation: {
    subject: message<[site: string]>('You are invited to {site}', 'site'),
    text: message<[name: string, inviter: string, site: string, link: string]>(
      `Hello {name},

{inviter} invites you to {site}. To choose your password, open this link within a week:

{link}

Afterwards sign in with this e-mail address and your password.
`,
      'name',
      'inviter',
      'site',
      'link',
    ),
  },

  code: {
    subject: message<[site: string]>('A code for your account at {site} was made', 'site'),
    text: message<[name: string, site: string, who: string, administrator: string]>(
      `Hello {name},

A code that sets a new password for your account at {site} was made by ${doer}.
Your password works until the code is used.

If you did not expect this, tell an administrator of {site} at once.
`,
      'name',
      'site',
      'who',
      'administrator',
    ),
  },

  reset: {
    subject: message<[site: string]>('Set a new password for {site}', 'site'),
    text: message<[name: string, site: string, link: string]>(
      `Hello {name},

We received a request to reset the password of your account at {site}. To choose a new password, open this link
within an hour:

{link}

If you did not request this, ignore this e-mail: your password stays the same.
`,
      'name',
      'site',
      'link',
    ),
  },

  /** `reason`: `registered` or `changed`. */
  newAddress: {
    subject: message<[site: string]>('Your address at {site}', 'site'),
    text: message<[reason: string, site: string, link: string]>(
      `Hello,

This address was {reason, select, registered {used to register} other {entered as the new address of an account}} at {site}. To sign in with it, open this link within a day and choose a password:

{link}

If you did not request this, ignore this e-mail: the address will not be used.
`,
      'reason',
      'site',
      'link',
    ),
  },

  /** To the owner of an address that somebody else entered. */
  takenAddress: {
    text: message<[reason: string, site: string, link: string]>(
      `Hello,

This address was {reason, select, registered {used to register} other {entered as the new address of an account}} at {site}, but it already belongs, or once belonged, to an account there.
Nothing was changed. To reset the password of your account, open this page:

{link}

If you did not request this, ignore this e-mail.
`,
      'reason',
      'site',
      'link',
    ),
  },

  /** `what`: a list of `credentials`. */
  changed: {
    subject: message<[what: string, site: string]>('Your {what} at {site} was changed', 'what', 'site'),
    text: message<
      [name: string, what: string, site: string, who: string, administrator: string, link: string]
    >(
      `Hello {name},

The {what} of your account at {site} was changed by ${doer}. All other sessions of the account have ended.

If you did not expect this, tell an administrator of {site} at once and set a new password:

{link}
`,
      'name',
      'what',
      'site',
      'who',
      'administrator',
      'link',
    ),
  },

  /** `thing`: `guide` or `order`. */
  signed: {
    subject: message<[thing: string, site: string]>(
      '{thing, select, guide {A guide} other {A work order}} was signed with your account at {site}',
      'thing',
      'site',
    ),
    text: message<
      [name: string, thing: string, site: string, day: string, who: string, administrator: string]
    >(
      `Hello {name},

{thing, select, guide {A guide} other {A work order}} was signed with your account at {site}. It is the first signature since your password, e-mail address or
single sign-on id was changed on {day} (UTC) by ${doer}.

If you did not sign it, tell an administrator of {site}, or the person responsible for signatures, at once.
`,
      'name',
      'thing',
      'site',
      'day',
      'who',
      'administrator',
    ),
  },

  /** To administrators. `what`: a list of `signInSettings`. */
  signInSettings: {
    address: 'address of the site',
    smtp: 'mail server',
    sign_on: 'identity provider',
  },
  settings: {
    subject: message<[what: string, site: string]>('The {what} of {site} changed', 'what', 'site'),
    text: message<[administrator: string, what: string, site: string]>(
      `Hello,

The administrator {administrator} changed the {what} of {site}. A person who controls these settings can sign in as
anyone.

If you did not expect this, check the audit log at once ("benchbook audit list --action 'PATCH /site'").
`,
      'administrator',
      'what',
      'site',
    ),
  },

  test: {
    subject: message<[site: string]>('Test mail of {site}', 'site'),
    text: message<[name: string, site: string]>(
      `Hello {name},

{site} can send e-mail. You asked for this test.
`,
      'name',
      'site',
    ),
  },

  /** `object`: the record in the words of the audit log; `none`: no known account. */
  attempts: {
    subject: message<[site: string]>('Failed attempts at {site}', 'site'),
    text: message<[failures: number, site: string, action: string, object: string, address: string]>(
      `Hello,

{failures, number} attempts failed at {site}: {action}, {object, select, none {no known account} other {{object}}}, from the address {address}. From now on, each further attempt
has to wait. The audit log lists every failed attempt ("benchbook audit list --refused").
`,
      'failures',
      'site',
      'action',
      'object',
      'address',
    ),
  },

  /** `what`: `backup` or `verify`. */
  backupFailed: {
    subject: message<[what: string, site: string]>(
      '{what, select, backup {The backup} other {The weekly check of the backup}} of {site} failed',
      'what',
      'site',
    ),
    text: message<[what: string, site: string, failure: string]>(
      `{what, select, backup {The backup} other {The weekly check of the backup}} of {site} failed:

{failure}

Until it succeeds you would lose what is newer than the last good backup if the server's disk failed. The administration and "benchbook doctor" show the state of the backups.`,
      'what',
      'site',
      'failure',
    ),
  },
  backupWorks: {
    subject: message<[what: string, site: string]>(
      '{what, select, backup {The backup} other {The weekly check of the backup}} of {site} works again',
      'what',
      'site',
    ),
    text: message<[what: string, site: string]>(
      '{what, select, backup {The backup} other {The weekly check of the backup}} of {site} succeeded again.',
      'what',
      'site',
    ),
  },

  damage: {
    subject: message<[site: string]>('The database of {site} is damaged', 'site'),
    text: message<[site: string, faults: string]>(
      `The database of {site} is damaged: {faults}

What can still be read is served, and devices keep their work. Restore the newest backup: stop the server, run
"benchbook restore FOLDER", start it again. Devices then offer what the backup lacks. Check the disk before you go on
using it.
`,
      'site',
      'faults',
    ),
  },
};
