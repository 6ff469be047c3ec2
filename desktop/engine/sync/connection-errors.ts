import type { Said } from '../api/sync-records.ts';

/** The server could not be reached, or the answer broke off. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** The address is in a private network, and the person has not allowed it. */
export class PrivateNetwork extends Error {
  override name = 'PrivateNetwork';
}

/**
 * Something between this device and the server answered in its place (a captive portal, a proxy), or the answer is
 * incomplete. The answer has no effect: the request is repeated later.
 */
export class ForeignAnswer extends Unreachable {
  override name = 'ForeignAnswer';
  readonly said: Said;

  constructor(said: Said) {
    super(
      'Something between this device and the server answers in its place. Your work is kept and will be sent once the server can be reached again.',
    );
    this.said = said;
  }
}

/** Which side must be updated before device and server understand each other. */
export type TooOldSide = 'app' | 'server';

const tooOldWords: Record<TooOldSide, string> = {
  app: 'Update the app to go on syncing. Your work is kept.',
  server: 'The server is older than this app. Ask your administrator to update it. Your work is kept.',
};

/** Device and server have no protocol in common: work waits until one of them is updated. */
export class TooOld extends Unreachable {
  override name = 'TooOld';

  constructor(side: TooOldSide) {
    super(tooOldWords[side]);
  }
}

/** The answer names another server than the expected one, and is ignored. */
export class OtherServerAnswered extends Unreachable {
  override name = 'OtherServerAnswered';

  constructor() {
    super('Another server answered');
  }
}

/** At the address of a home there is another server, or its token belongs to another account. */
export class OtherServer extends Error {
  override name = 'OtherServer';
}

/** The server at an address cannot prove its identity. */
export class Impostor extends Error {
  override name = 'Impostor';
}

/** The server no longer accepts the token. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';
  readonly token: string | null;

  constructor(token: string | null) {
    super('The sign-in is no longer good');
    this.token = token;
  }
}

/** The server does not know the checkpoint of this device. */
export class OtherHistory extends Error {
  override name = 'OtherHistory';
}

/** The server refused the request for now; it may be tried again. */
export class NotNow extends Unreachable {
  override name = 'NotNow';
  readonly status: number;
  /** How long the server asked to wait, ms; null: it did not ask. */
  readonly wait: number | null;

  constructor(status: number, wait: number | null) {
    super(`The server answered ${status}`);
    this.status = status;
    this.wait = wait;
  }
}
