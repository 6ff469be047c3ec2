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
  /** How a guide stands to its approval process; null: it is under none, or not on this device. */
  guideApproval(guideid: string): Live<records.GuideApprovalView | null>;
  /** What the person has decided and not signed yet, by request. */
  preparedDecisions(): Live<ReadonlyMap<number, records.PreparedDecision>>;
}

/** What a process is made of. */
export interface ProcessText {
  name: string;
  description: string;
  stages: NewStage[];
}

/** Signing and administering. Both need the network: each asks the server and throws its `Problem`. */
export interface ApprovalActions {
  /** Keeps a decision on this device until it is signed, without a password and without the network; null forgets it. */
  prepareDecision(requestid: number, decision: records.PreparedDecision | null): Promise<void>;
  /** Keeps decisions of an earlier version of the app, but for requests for which one is prepared. */
  adoptDecisions(decisions: ReadonlyMap<number, records.PreparedDecision>): Promise<void>;
  /** Signs the open stage of a request. The password goes to the server and nowhere else. */
  signApproval(requestid: number, decision: SignedDecision, password: string): Promise<ApprovalRequest>;
  /** What the version of a request changes in the one that was public last; null: none was. */
  compareApproval(requestid: number): Promise<GuideDifference | null>;
  listProcesses(): Promise<ApprovalProcess[]>;
  /** `null`: makes a process. */
  saveProcess(processid: number | null, process: ProcessText): Promise<ApprovalProcess>;
  /** The process that new guides under a category begin with; null: none of its own. */
  setDefaultProcess(wikiid: number, processid: number | null): Promise<void>;
}
