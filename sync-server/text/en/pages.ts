import { message } from '#shared/text/message.ts';

/** The pages of the server. */
export const pageTexts = {
  signOn: {
    confirmed: 'You are confirmed',
    goBack: 'Go back to the app and sign. You can close this page.',
    signsIn: 'The app signs you in.',
    notConfirmed: 'You are not confirmed',
    beginAgain: message<[reason: string]>('{reason}. Go back to the app and begin again.', 'reason'),
    notSignedIn: 'You are not signed in',
    why: message<[reason: string]>('{reason}.', 'reason'),
    goOn: 'Go on to the app',
  },

  /** Why a sign-on is refused, without the full stop. The API answers with the English ones. */
  signOnFlaws: {
    notTrusted: 'The answer of the identity provider cannot be trusted',
    usedBefore: 'The answer of the identity provider was used before',
    signOnOver: 'This sign-on is over',
    signOnUnknown: 'This sign-on is over, or never began here',
    signInOver: 'This sign-in is over',
    accountClosed: 'The account is closed',
    somebodyElse: 'You authenticated as somebody else than the person who wants to sign',
    ownAccountClosed: 'Your account is closed. Ask an administrator',
    otherId: 'The account with your address has another single sign-on id',
    idTaken: message<[id: string]>(
      'Your single sign-on id was taken from an account. Ask an administrator to enter the single sign-on id {id} in your account',
      'id',
    ),
    specialAccount: message<[id: string]>(
      'Accounts of administrators and kiosks are not found by their address. Ask an administrator to enter the single sign-on id {id} in your account',
      'id',
    ),
    unknownId: message<[id: string]>(
      'Nobody here has this single sign-on id. Ask an administrator to enter the single sign-on id {id} in your account',
      'id',
    ),
    addressTaken: message<[id: string]>(
      'Your address has an account already, or had one. Ask an administrator to enter the single sign-on id {id} in your account',
      'id',
    ),
  },

  /** The page around the parts of a training module. */
  player: {
    title: 'Training module',
    preview: 'Preview: nothing counts',
    order: 'Order',
    back: 'Back',
    continue: 'Continue',
    again: 'Begin again',
    parts: 'Parts',
    opening: 'Opening …',
    saved: 'Saved',
    savedAll: 'Saved. You may close this page.',
    notSaved: 'Not saved: the server could not be reached, or refused',
    refused: 'Not saved: the server refused',
    unreachable: 'Not saved: the server could not be reached',
    notOpened: 'This could not be opened. Close this page and open the module again.',
    elsewhere: 'Modules can be shown only in Benchbook. Open this one there.',
    ended: 'The module has ended. What you achieved is saved.',
    impossible: 'This is not possible now.',
    choose: 'Choose a part.',
    states: { 'not attempted': 'not attempted', incomplete: 'incomplete', completed: 'completed' },
  },

  frame: {
    warning: 'Training module of another vendor. Never type your password here.',
  },

  closed: { title: 'Closed', text: 'You may close this page.' },

  /** Where a story or post is not shown. */
  missing: {
    title: 'Page not found',
    text: 'It may have been deleted, or not everybody may read it.',
  },
};
