import type { Session } from '#shared/model/session.ts';

/**
 * Proves to the server that the caller is the person of the session: their current password, or a single sign-on that
 * the identity provider has confirmed.
 */
export type GivenProof = { password: string } | { signOnid: string };

/** Passwords and sessions of a person. Needs the network: each call asks the server and throws its `Problem`. */
export interface AccountActions {
  /** Whether another person set the password: it cannot sign until the owner chooses their own. */
  mustSetPassword(): Promise<boolean>;
  /** Changes the person's password or email address. Nothing of it is stored on this device. */
  changePassword(password: string, proof: GivenProof): Promise<void>;
  changeAddress(email: string, proof: GivenProof): Promise<void>;
  /** The language in which the server writes to the person, as a BCP 47 tag. */
  mailLanguage(): Promise<string>;
  changeMailLanguage(langid: string): Promise<void>;
  /** The sessions of a person, most recently used first: for themselves, and for administrators. */
  listSignIns(userid: number): Promise<Session[]>;
  endSignIn(userid: number, sessionid: string): Promise<void>;
  /**
   * Starts acting as another person, in a separate home on this device; signing out returns to the administrator's own
   * session.
   */
  actAs(userid: number): Promise<void>;
  /** All sessions of a person except this one. */
  endOtherSignIns(userid: number): Promise<void>;
  /**
   * The secret that the server keeps for this account and device (`device`: its uuid); null if the server keeps none, the
   * session is not new, or the account is in `known`.
   */
  deviceSecret(
    device: string,
    known?: readonly Pick<DeviceSecret, 'origin' | 'account'>[],
  ): Promise<DeviceSecret | null>;
}

/** A secret by which an account can unlock a device. `origin`: address of the server. */
export interface DeviceSecret {
  origin: string;
  account: string;
  /** 32 bytes. */
  secret: Uint8Array<ArrayBuffer>;
}
