export const signInText = {
  title: 'Sign in',
  lead: 'Guides and work orders that stay with you, with or without a network.',
  server: 'Server address',
  serverHint: 'As your workshop gave it to you',
  knownServers: 'Show servers used before',
  noServers: 'No other servers used on this device',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  needServer: 'Enter the address of your server, such as https://guides.example.org',
  needEmail: 'Enter your e-mail address',
  needPassword: 'Enter your password',
  failed: 'Signing in did not work',
  wrong: 'The e-mail address or the password is wrong. Check both and try again.',
  unreachable: (server: string) => `${server} does not answer. Check the address and the network.`,
  insecure: 'This page cannot keep your work',
  insecureHint:
    'It was opened over an insecure connection (http), where the browser gives no safe storage. Open it over https, on the server itself, or in the desktop app.',
  expired: 'Your session has ended',
  expiredHint:
    'Sign in again to send what is saved on this device. Nothing is lost, and reading works meanwhile.',
};

export const settingsText = {
  title: 'Settings',
  display: 'Display',
  account: 'Account',
  signedInAs: (name: string, server: string) => `Signed in as ${name} at ${server}`,
  storage: 'This device',
  journalFile: 'What you do is written to a file on this computer before it counts as saved.',
  journalPrivate:
    'What you do is written to this browser’s private storage before it counts as saved. A full disk can still take it: the desktop app keeps it safer.',
  journalNone: 'This page cannot keep your work: nothing is stored on this device.',
  pictures: (have: string, of: string) => `${have} of ${of} pictures on this device`,
  media: (size: string) => `${size} of pictures and documents`,
  signOutHint: 'What is not yet on the server stays on this device for your next sign-in.',
};
