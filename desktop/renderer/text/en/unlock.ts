import type { PinRefusal } from '#shared/rules/device-pin.ts';

import { inLanguage } from '../language.ts';

const pinRefusals: Record<PinRefusal, string> = {
  'too-short': 'Enter at least 6 characters',
  'too-long': 'Enter at most 200 characters',
  repeated: 'Choose a PIN that is not one character repeated',
  run: 'Choose a PIN that is not a run such as 123456',
};

export const unlockText = inLanguage('unlock', {
  protectTitle: 'Protect the work on this device',
  protectLead:
    'Guides that you edit and steps that you record stay on this computer until the server has them. They are encrypted. How do you want to unlock them?',
  how: 'How to unlock',
  withPin: 'With a PIN',
  withoutPin: 'Without a PIN',
  pin: 'PIN',
  newPin: 'New PIN',
  pinHint: 'At least 6 characters. Letters make it much harder to guess.',
  pinAgain: 'PIN again',
  pinRefusals,
  notAlike: 'The two PINs differ',
  needPin: 'Enter your PIN',
  noPinTitle: 'Anyone who copies the data folder can read this work',
  noPinHint:
    'The key lies in a file next to the data. Use this only on a station in a locked room, or where the disk is encrypted.',
  protect: 'Continue',
  protectFailed: 'Couldn’t store the key',
  title: 'Unlock the work on this device',
  lead: 'The work on this computer is encrypted. Enter the PIN of this device.',
  unlock: 'Unlock',
  wrongPin: 'Wrong PIN',
  unlockFailed: 'Couldn’t unlock the work',
  wait: (seconds: number) =>
    seconds < 90
      ? `Too many wrong PINs. Try again in ${seconds} seconds.`
      : `Too many wrong PINs. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  forgot: 'I don’t know the PIN',
  systemTitle: 'The keyring of this computer doesn’t open the key',
  systemHint:
    'This happens after the password of the computer was reset, or when the data was copied from another computer. Nothing is lost.',
  tryAgain: 'Try again',
  recoverTitle: 'Sign in to unlock this device',
  recoverLead: (accounts: readonly string[]) =>
    `The server keeps a second key for this device. Sign in with an account that has used it here: ${accounts.join(', ')}.`,
  recovering: 'Unlocking …',
  recoverFailed: 'This account can’t unlock the device',
  recoverFailedHint: 'Sign in with the account that has used this device before.',
  recoverRefused:
    'The server has no key for this device, or it is too old to keep one. Ask your administrator.',
  noRecovery: 'No account can unlock this device',
  noRecoveryHint:
    'The server has not kept a key for it yet. The encrypted work stays on the computer, in case you remember the PIN.',
  back: 'Back',
  setAside: 'Start without this work',
  setAsideTitle: 'Start without the encrypted work?',
  setAsideHint:
    'The encrypted work moves to a separate folder on this computer and is not deleted. The app starts empty, and what was not sent stays locked until somebody unlocks that folder.',
  setAsideConfirm: 'Start empty',
  unreadable: 'The key file doesn’t open the work on this device',
  unreadableHint: {
    newer: 'A newer version of the app wrote it. Update the app to open the work on this device.',
    damaged: 'It is damaged. Restore the file “device-key.json” from a backup of this computer.',
    lost: 'It is missing, but encrypted work is on this device. Restore the file “device-key.json” from a backup of this computer.',
    other:
      'It opens other work than the work on this device. Put back the file “device-key.json” that belongs to this work.',
    disk: 'The disk refuses to read it. Free some space, check the permissions of the data folder, and try again.',
  },
  section: 'Protection of work on this device',
  protection: {
    system: 'Encrypted. The keyring of this computer keeps the key.',
    pin: 'Encrypted. The key is protected by a PIN.',
    file: 'Encrypted, but the key lies in a file next to the data. Anyone who copies the folder can read the work.',
  },
  recovery: (accounts: readonly string[]) =>
    accounts.length === 0
      ? 'If the key is lost, nobody can unlock the work. Sign in again, so that the server keeps a second key.'
      : `If the key is lost, these accounts can unlock the work: ${accounts.join(', ')}.`,
  changePin: 'Change the PIN',
  setPin: 'Set a PIN',
  useKeyring: 'Let the keyring keep the key',
  changed: 'The protection is changed',
  save: 'Save',
  cancel: 'Cancel',
});
