import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const accountText = inLanguage('account', {
  title: 'Sign-in and security',
  lead: 'How you sign in, and where you are signed in.',
  settings: 'Sign-in and security',
  password: 'Password',
  newPassword: 'New password',
  newPasswordHint: 'At least ten characters. This signs you out everywhere else.',
  savePassword: 'Change password',
  passwordSaved: 'Password changed',
  mustSet: 'Choose your own password',
  mustSetHint:
    'Someone else set your current password. You can keep working, but you can’t sign approvals until you choose your own.',
  address: 'E-mail address',
  addressLead:
    'You sign in with this address, and password reset links go to it. If your server sends e-mail, a new address takes effect once you open the link sent to it and choose a password. The old address is notified of the change.',
  newAddress: 'New e-mail address',
  needAddress: 'Enter an e-mail address',
  saveAddress: 'Change e-mail address',
  addressSaved: 'New e-mail address sent to the server',
  proofTitle: 'Confirm your identity',
  proofLead: 'Confirm that it’s you before you make this change.',
  proof: {
    password: 'Current password',
    passwordHint: 'Confirms that it is you. It is not stored.',
    signOnHint: 'Opens the sign-in page of your organisation. Come back here to confirm.',
    signOnWaitingHint: 'Finish signing in on the page that opened. What you entered here is kept.',
    signOnConfirmedHint: 'Confirm within five minutes. This sign-in is valid for this change only.',
  },
  confirm: 'Confirm',
  needProof: 'Enter your current password',
  signIns: 'Sessions',
  signInsLead: 'Devices and apps signed in to this account. Unused sessions expire after 90 days.',
  signInsFailed: 'Couldn’t load the sessions',
  noSignIns: 'This account has no sessions.',
  unknownDevice: 'Unknown device',
  actingHere: message<[name: string]>('{name}, acting as this person', 'name'),
  here: 'This device',
  lastUsed: message<[date: string]>('Last used {date}', 'date'),
  since: (day: string, address: string) =>
    address === '' ? `Since ${day}` : `Since ${day}, from ${address}`,
  act: message<[name: string]>('Act as {name}', 'name'),
  actTitle: message<[name: string]>('Act as {name}?', 'name'),
  actBody:
    'You see what this person sees and can do what they can, except sign approvals or change how they sign in. Everything you do is recorded under your name. The session ends after an hour, or when you stop.',
  end: 'Sign out',
  endOf: message<[device: string]>('Sign out {device}', 'device'),
  ended: 'Signed out',
  endOthers: 'Sign out everywhere else',
  endAll: 'Sign out everywhere',
  endOthersTitle: 'Sign out everywhere else?',
  endAllTitle: 'Sign out everywhere?',
  endOthersBody: 'Unsent changes stay on those devices until the next sign-in there.',
});
