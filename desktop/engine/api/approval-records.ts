import type {
  ApprovalPurpose,
  ApprovalStatus,
  SignatureMeaning,
  StageStatus,
} from '#shared/model/approval.ts';

/** A decision about a request that is not signed yet. */
export interface PreparedDecision {
  /** Null: nothing is chosen yet. */
  decision: 'approve' | 'review' | 'reject' | null;
  comment: string;
}

/** An open request in a list. Times are ms since 1970. */
export interface ApprovalCard {
  requestid: number;
  guideid: string;
  title: string;
  process: string;
  purpose: ApprovalPurpose;
  requester: string;
  since: number;
  /** The stage that is open. */
  stage: string;
  signed: number;
  needed: number;
  /** Whether the person may sign now. */
  mine: boolean;
}

export interface SignatureView {
  name: string;
  meaning: SignatureMeaning;
  comment: string;
  at: number;
}

export interface StageView {
  stageid: number;
  name: string;
  meaning: 'approved' | 'reviewed';
  status: StageStatus;
  needed: number;
  /** People and teams who may sign it. */
  approvers: string[];
  signatures: SignatureView[];
}

export interface ApprovalRequestView {
  requestid: number;
  process: string;
  purpose: ApprovalPurpose;
  status: ApprovalStatus;
  reason: string | null;
  requester: string;
  since: number;
  /** Whether it is about the present version of the guide. */
  isAbout: boolean;
  /** The number of the revision to sign, as people count them; null if this device does not know it. */
  revision: number | null;
  hash: string;
  stages: StageView[];
}

/** The approval state of a guide. */
export interface GuideApprovalView {
  guideid: string;
  title: string;
  state: 'unapproved' | ApprovalStatus;
  /** Whether the person may ask for the approval of this version now. */
  canAsk: boolean;
  /** Newest first. */
  requests: ApprovalRequestView[];
  /** What the person may sign now. */
  mine: { requestid: number; hash: string; stage: string; meaning: 'approved' | 'reviewed' } | null;
}
