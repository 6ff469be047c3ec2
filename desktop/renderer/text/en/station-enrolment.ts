import { inLanguage } from '../language.ts';

/** Texts for making a device a station, and for ending that. */
export const enrolText = inLanguage('enrol', {
  title: 'Make this device a station',
  lead: 'A station is shared: people sign in here with a badge or a PIN, without a network too.',
  server: 'Server address',
  serverHint: 'The address that the administrator of your workshop gave you',
  code: 'Code of the station',
  codeHint: 'Ten characters, from Stations in the administration. It works once, for 15 minutes.',
  needServer: 'Enter the address of your server, such as https://guides.example.org',
  needCode: 'Enter the ten characters of the code',
  submit: 'Make it a station',
  failed: 'Couldn’t make this device a station',
  again: 'Enrol this station again',
  againLead: 'What waits on this device is kept, and is sent when it is enrolled as the same station again.',
  beginAnew: 'Enrol without these changes',
  backToSignIn: 'Back to sign-in',
  backToLock: 'Back',
  leave: 'End station mode',
  leaveTitle: 'End station mode?',
  leaveLead:
    'Nobody can sign in with a badge or PIN here any more. What waits stays on this device, and is sent when it is enrolled as this station again.',
  leaveProof: 'An administrator confirms this with their e-mail address and password. It needs the network.',
  exitCode: 'Exit code',
  exitCodeHint:
    'Eight digits, which the administrator got with the code of the station. It works without a network.',
  needExitCode: 'Enter the eight digits of the exit code',
  byPassword: 'Use a password',
  byCode: 'Use the exit code',
  needBoth: 'Enter the e-mail address and the password of an administrator',
});
