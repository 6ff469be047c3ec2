import type { ProfileEdit } from '#shared/api/users.ts';
import type { Account, Invitation, SiteSession } from '#shared/model/account.ts';
import type { SiteJob } from '#shared/model/site.ts';
import type { WebhookDelivery } from '#shared/model/webhook.ts';

import type { GivenProof } from './account.ts';

/** A new account. */
export interface NewPerson {
  username: string;
  email: string;
}

/** What administrators change of an account. */
export type AccountEdit = Pick<ProfileEdit, 'privileges' | 'teams' | 'enabled' | 'langid'>;

/** The roles and teams that an administrator saw when they changed them. */
export type SeenAccess = Pick<Account, 'privileges' | 'teams'>;

export interface ChangeOptions {
  /** Without one the server refuses to make an administrator. */
  proof?: GivenProof;
  /** The change is refused (`Problem` conflict) if the person has other roles or teams now. */
  seen?: SeenAccess;
}

/** Administration of people, sessions and jobs. Each call asks the server and throws its `Problem`. */
export interface AccountAdminActions {
  /** All accounts of people. */
  listAccounts(): Promise<Account[]>;
  /** Creates an account without a password; `inviteAccount` lets its owner choose one. Returns its number. */
  createAccount(person: NewPerson, proof: GivenProof): Promise<number>;
  inviteAccount(userid: number, by: 'mail' | 'code', proof: GivenProof): Promise<Invitation>;
  changeAccount(userid: number, edit: AccountEdit, options?: ChangeOptions): Promise<void>;
  /** At most `most` sessions of all people, most recently used first, and whether there are more. */
  listSiteSessions(most: number): Promise<{ sessions: SiteSession[]; more: boolean }>;
  /** Ends every session but that of this device and those of stations. */
  endAllSessions(): Promise<void>;
  /** The latest jobs, newest first. */
  listJobs(): Promise<SiteJob[]>;
  makeBackup(): Promise<void>;
  /** Throws `Problem` with the words of the mail server if it refuses the mail. */
  sendTestMail(): Promise<void>;
  /** The latest deliveries of a webhook, newest first. */
  listDeliveries(webhookid: number): Promise<WebhookDelivery[]>;
  replayDelivery(webhookid: number, deliveryid: number): Promise<void>;
  /** Sets a password with a printed code. Returns the address with which the person signs in. */
  redeemCode(server: string, code: string, password: string): Promise<string | null>;
}
