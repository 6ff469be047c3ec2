import type { NewStage } from '#shared/api/approvals.ts';
import type { ApprovalProcess, ApprovalRequest } from '#shared/model/approval.ts';
import type { GuideDifference } from '#shared/rules/guide-difference.ts';

import type { Live } from './engine.ts';
import type { SignedDecision } from './sign-on.ts';
import type * as records from './approval-records.ts';

/** Live reads of approvals, from what is on this device. */
export interface ApprovalViews {
  /** Open requests that concern the person: those that they may sign now first, then by age. */
  approvals(): Live<records.ApprovalCard[]>;
  /** The approval state of a guide; null: it has no process, or is not on this device. */
  guideApproval(guideid: string): Live<records.GuideApprovalView | null>;
  /** Decisions of the person that are not signed yet, by request. */
  preparedDecisions(): Live<ReadonlyMap<number, records.PreparedDecision>>;
}

/** The parts of a process. */
export interface ProcessText {
  name: string;
  description: string;
  stages: NewStage[];
}

/** Signing and administering. Both need the network: each asks the server and throws its `Problem`. */
export interface ApprovalActions {
  /** Stores a decision on this device until it is signed, without a password and offline; null removes it. */
  prepareDecision(requestid: number, decision: records.PreparedDecision | null): Promise<void>;
  /** Stores decisions of an earlier version of the app, except for requests that have one. */
  adoptDecisions(decisions: ReadonlyMap<number, records.PreparedDecision>): Promise<void>;
  /** Signs the open stage of a request. The password goes to the server and nowhere else. */
  signApproval(requestid: number, decision: SignedDecision, password: string): Promise<ApprovalRequest>;
  /** Changes from the last public version to that of a request; null: there was no public version. */
  compareApproval(requestid: number): Promise<GuideDifference | null>;
  listProcesses(): Promise<ApprovalProcess[]>;
  /** `null`: creates a process. */
  saveProcess(seen: ApprovalProcess | null, process: ProcessText): Promise<ApprovalProcess>;
  /** Sets the process of new guides under a category; null: it has none of its own. */
  setDefaultProcess(wikiid: number, processid: number | null): Promise<void>;
}
