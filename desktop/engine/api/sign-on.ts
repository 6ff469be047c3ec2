import type { Decision } from '#shared/api/approvals.ts';
import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { SignOnRequest } from '#shared/model/sign-on.ts';

/** A decision that a person signs, with the hash of the version that they saw. */
export type SignedDecision = Pick<Decision, 'decision' | 'comment'> & { revisionHash: string };

/** Signing with a single sign-on. It needs the network: each asks the server and throws its `Problem`. */
export interface SignOnActions {
  /** Whether the site has an identity provider with which people may sign. */
  offersSignOn: () => Promise<boolean>;
  /** Begins a sign-on of the person: they authenticate at its address, in a browser. */
  beginSignOn: () => Promise<SignOnRequest>;
  /** Whether the identity provider has answered. */
  readSignOn: (signOnid: string) => Promise<SignOnRequest>;
  /**
   * Signs the open stage of a request with a sign-on that the identity provider has confirmed. Its token signs once and
   * never leaves the engine; a signature that the server refused can be tried again with it for some minutes.
   */
  signApprovalBySignOn: (
    requestid: number,
    decision: SignedDecision,
    signOnid: string,
  ) => Promise<ApprovalRequest>;
}
