import { count } from '../plural.ts';

/** People, invitations and sessions, for administrators. */
export const accountAdminText = {
  title: 'People and teams',
  lead: (people: number, invited: number) =>
    invited === 0
      ? count(people, 'account', 'accounts')
      : `${count(people, 'account', 'accounts')} · ${invited} not used yet`,
  failed: 'Couldn’t load the accounts',
  teams: 'Show teams',
  find: 'Find a person, role or team',
  show: 'Show',
  filters: { all: 'All', active: 'Active', invited: 'Not signed in yet', closed: 'Deactivated' },
  table: 'Accounts',
  columns: { name: 'Name', roles: 'Roles', teams: 'Teams', seen: 'Last seen', state: 'State' },
  noneFound: 'Nobody found',
  noneFoundHint: 'Try fewer letters, or show all.',
  never: 'Never',
  states: {
    active: 'Active',
    waiting: 'No sign-in yet',
    invited: 'Invited',
    closed: 'Deactivated',
  },
  roles: {
    User: 'Worker',
    Author: 'Author',
    Moderator: 'Moderator',
    Admin: 'Administrator',
    Kiosk: 'Kiosk',
  } as Readonly<Record<string, string>>,
  roleHints: {
    Author: 'Writes guides, pages, forms and courses',
    Moderator: 'Also edits and removes what others wrote',
    Admin: 'Manages people, settings and everything else',
    Kiosk: 'A shared account: it only reads and records work',
  } as Readonly<Record<string, string>>,

  add: 'Add a person',
  name: 'Name',
  needName: 'Enter a name',
  email: 'E-mail address',
  emailHint: 'The person signs in with it.',
  needEmail: 'Enter an e-mail address',
  how: 'How does the person choose a password?',
  by: { mail: 'Invitation by mail', code: 'Printed code' },
  byMailHint: 'A mail with a link that works for a week.',
  byCodeHint: 'A sheet to hand over. The code works once, within a week.',
  create: 'Create account',
  created: (name: string) => `Account of ${name} created`,
  mailed: 'Invitation sent',

  sheetTitle: (name: string) => `Code for ${name}`,
  sheetLead: 'Hand this sheet to the person. The code is shown only now.',
  sheetSteps: (address: string) => [
    `Scan the picture, or open ${address} and type the code.`,
    'Choose a password with at least ten characters.',
    'Sign in with your e-mail address and the password.',
  ],
  sheetQr: 'QR code that opens the page for this code',
  until: (date: string) => `Works once, until ${date}`,
  print: 'Print sheet',
  hide: 'Done',

  gone: 'This account does not exist',
  goneHint: 'Its address may be mistyped.',
  back: 'People and teams',
  profile: 'Profile',
  rolesAndTeams: 'Roles and teams',
  rolesTitle: 'Roles',
  everyone: 'Everyone can read, record work and comment.',
  noTeams: 'There are no teams yet. Authors found them under “People”.',
  saved: 'Account saved',
  access: 'Access',
  accessLead: (invited: string) =>
    invited === ''
      ? 'Lets the person choose a new password. The old one works until then.'
      : `Invited. ${invited}.`,
  sendMail: 'Send a link by mail',
  printCode: 'Print a code',
  noEmail: 'This account has no e-mail address, so only a printed code works.',
  mailTitle: (name: string) => `Send ${name} a link?`,
  mailBody: 'The link lets the person choose a password. It works for a week. Earlier links and codes end.',
  codeTitle: (name: string) => `Make a code for ${name}?`,
  codeBody:
    'Whoever has the code can choose the password of this account. It works once, within a week. Earlier links and codes end.',
  close: 'Deactivate account',
  closeLead: 'A deactivated person can’t sign in. Everything they wrote and recorded stays.',
  closeTitle: (name: string) => `Deactivate the account of ${name}?`,
  closeBody: (sessions: number) =>
    sessions === 0
      ? 'The person can no longer sign in. Nothing they wrote or recorded is lost.'
      : `${count(sessions, 'session ends', 'sessions end')} now. Unsent changes stay on those devices. Nothing the person wrote or recorded is lost.`,
  closed: (name: string) => `${name} is deactivated`,
  reopen: 'Reactivate account',
  reopenTitle: (name: string) => `Reactivate the account of ${name}?`,
  reopenBody: 'The person can sign in again with the password they had.',
  reopened: (name: string) => `${name} can sign in again`,
  own: 'This is your own account. Another administrator can deactivate it.',

  sessionsTitle: 'Sessions and devices',
  sessionsLead: 'Devices and apps that are signed in, most recently used first.',
  sessionsFailed: 'Couldn’t load the sessions',
  sessionsFound: (number: number) => count(number, 'session', 'sessions'),
  findSession: 'Find a person, device or address',
  sessionColumns: {
    person: 'Person',
    device: 'Device',
    used: 'Last contact',
    since: 'Signed in',
    end: 'End',
  },
  connected: 'Connected',
  thisDevice: 'This device',
  actingAs: (name: string) => `${name}, acting as this person`,
  from: (address: string) => `from ${address}`,
  endOne: 'Sign out',
  endOneOf: (device: string, name: string) => `Sign out ${device} of ${name}`,
  endOneTitle: (name: string) => `Sign out this device of ${name}?`,
  endAll: 'Sign everyone out',
  endAllTitle: 'Sign everyone out?',
  endAllBody:
    'Every session ends except yours and those of stations. Unsent changes stay on the devices until the next sign-in there.',
  endBody: 'Unsent changes stay on the device until the next sign-in there.',
  ended: 'Signed out',
  allEnded: 'Everyone else is signed out',
};

/** The page on which a printed code is used. */
export const redeemText = {
  title: 'Use your code',
  lead: 'Enter the code from your sheet and choose a password.',
  code: 'Code',
  codeHint: 'Ten letters and digits, such as 7Q4XM-R2KD9',
  needCode: 'Enter the code from your sheet',
  save: 'Save password',
  failed: 'Couldn’t save the password',
  done: 'Password saved',
  doneHint: (email: string) => `Sign in with ${email} and your new password.`,
  doneHintWithout: 'Sign in with your e-mail address and your new password.',
};
