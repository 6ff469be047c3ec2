import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Begins each message of `unproved`. */
const waiting =
  '{changes, plural, one {# change on this device is} other {# changes on this device are}} waiting for {origin}.';

export const signInText = inLanguage('signIn', {
  title: 'Sign in',
  lead: 'Guides and work orders that stay with you, with or without a network.',
  server: 'Server address',
  serverHint: 'The address that your workshop gave you',
  knownServers: 'Show servers used before',
  noServers: 'No other servers used on this device',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  codeMissing: 'Couldn’t load the rest of the app',
  codeMissingHint: 'Check the connection, then try again. What you typed stays here.',
  archives: 'Open an archive',
  archivesHint: 'An .omanual file from a USB stick, an e-mail or a download. No account needed.',
  emptyServer: 'This server has no administrator yet',
  emptyServerHint: 'Set it up with the code that the server printed when it started.',
  goToSetup: 'Set up this server',
  station: 'This device is a station',
  stationHint: 'For a shared screen on the shop floor: people sign in with a badge or a PIN.',
  forgot: 'Forgot password?',
  useCode: 'I have a printed code',
  forgotTitle: 'Set a new password',
  forgotLead: 'Your server sends a link to your e-mail address. It works once, for an hour.',
  sendLink: 'Send the link',
  linkSent: 'Check your e-mail',
  linkSentHint:
    'If the address has an account, the link is on its way. If your server sends no e-mail, ask your administrator for a link.',
  backToSignIn: 'Back to sign-in',
  sendFailed: 'Couldn’t send the link',
  resetTitle: 'Choose a new password',
  resetLead: 'This signs you out everywhere. Sign in again with the new password.',
  newPassword: 'New password',
  newPasswordHint: 'Ten characters or more',
  needNewPassword: 'Enter ten characters or more',
  savePassword: 'Save the password',
  passwordSaved: 'Your new password is saved',
  resetFailed: 'Couldn’t save the password',
  noToken: 'This link is incomplete',
  noTokenHint: 'Open the whole link from the e-mail, or request a new one.',
  askAgain: 'Request a new link',
  needServer: 'Enter the address of your server, such as https://guides.example.org',
  needEmail: 'Enter your e-mail address',
  needPassword: 'Enter your password',
  failed: 'Couldn’t sign you in',
  wrong: 'The e-mail address or the password is wrong. Check both and try again.',
  unproved: {
    'origin-not-named': message<[at: string, origin: string, changes: number]>(
      `${waiting} {at} has not proved that it is the same server, so nothing was sent. Ask your administrator to enter it as the address of the site, or to start the server with --origin {at}. Then sign in again.`,
      'at',
      'origin',
      'changes',
    ),
    'cannot-verify': message<[at: string, origin: string, changes: number]>(
      `${waiting} This browser cannot check whether {at} is the same server, so nothing was sent. Update the browser, or use the desktop app.`,
      'at',
      'origin',
      'changes',
    ),
    'no-identity': message<[at: string, origin: string, changes: number]>(
      `${waiting} {at} did not identify itself, so nothing was sent. It may be running an older version than before: ask your administrator to update it.`,
      'at',
      'origin',
      'changes',
    ),
  },
  beginAnew: 'Sign in without these changes',
  signOnWith: message<[provider: string]>('Sign in with {provider}', 'provider'),
  signOnWaiting: 'Continue in your browser',
  signOnOpenAgain: 'Open the sign-in page again',
  signOnEnded: 'The sign-in at your organisation wasn’t completed. Try again, or sign in with your password.',
  signOnElsewhere: 'This sign-in was started in another window or has already been used. Start again here.',
  signOnAt: message<[origin: string]>(
    'Sign-in with your organisation works only at {origin}. Open that address and sign in there.',
    'origin',
  ),
  insecure: 'This page cannot keep your work',
  insecureHint:
    'It was opened over an insecure connection (http), where the browser offers no safe storage. Open it over https, on the server itself, or in the desktop app.',
  expired: 'Your session has ended',
  expiredHint:
    'Sign in again to send what is saved on this device. Nothing is lost, and you can keep reading in the meantime.',
});
