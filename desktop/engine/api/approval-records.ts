import type {
  ApprovalPurpose,
  ApprovalStatus,
  SignatureMeaning,
  StageStatus,
} from '#shared/model/approval.ts';

/** What a person has decided about a request and not signed yet. */
export interface PreparedDecision {
  decision: 'approve' | 'review' | 'reject';
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
  /** Whether it is about the guide as it is now. */
  isAbout: boolean;
  revisionid: number;
  hash: string;
  stages: StageView[];
}

/** How a guide stands to its process. */
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
