import type {
  ApprovalSignature,
  ApprovalStage,
  ApprovalStatus,
  GuideApprovalRequest,
  SignatureMeaning,
  StageStatus,
} from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

/** What was signed so far, and what ended the request from outside: an edit, a withdrawal. */
export interface SignedSoFar {
  /** In their order. */
  stages: readonly ApprovalStage[];
  /** In the order of signing. */
  signatures: readonly ApprovalSignature[];
  isVoid: boolean;
}

export interface FoldedApproval {
  status: ApprovalStatus;
  /** The stage that may be signed now; null when none may. */
  open: ApprovalStage | null;
  stages: { stage: ApprovalStage; status: StageStatus; signatures: ApprovalSignature[] }[];
}

/**
 * Where a request stands. A stage is done when as many people signed it as it asks for; the next one opens then. One
 * rejection ends the request, as does what made it void; after the last stage it is approved, for good.
 */
export function foldApproval({ stages, signatures, isVoid }: SignedSoFar): FoldedApproval {
  const isRejected = signatures.some((one) => one.meaning === 'rejected');
  let isOpen = true;
  let open: ApprovalStage | null = null;
  const folded = stages.map((stage): FoldedApproval['stages'][number] => {
    const own = signatures.filter((one) => one.approval_stageid === stage.approval_stageid);
    const status = stageStatusOf(stage, own, isOpen, isRejected ? 'rejected' : isVoid ? 'void' : 'pending');
    if (status !== 'done') isOpen = false;
    if (status === 'open') open = stage;
    return { stage, status, signatures: own };
  });
  const status = isOpen ? 'approved' : isRejected ? 'rejected' : isVoid ? 'void' : 'pending';
  return { status, open, stages: folded };
}

function stageStatusOf(
  stage: ApprovalStage,
  signatures: readonly ApprovalSignature[],
  isTurn: boolean,
  end: 'rejected' | 'void' | 'pending',
): StageStatus {
  if (signatures.some((one) => one.meaning === 'rejected')) return 'rejected';
  if (isTurn && signatures.length >= stage.required_approvals) return 'done';
  if (end !== 'pending') return 'void';
  return isTurn ? 'open' : 'waiting';
}

/** Somebody who may be named by a stage. */
export interface Signer {
  userid: number;
  teams: readonly number[];
}

/** Whether a stage names the person, by themselves or by a team of theirs. */
export function isNamed(
  stage: Pick<ApprovalStage, 'userids' | 'teamids'>,
  { userid, teams }: Signer,
): boolean {
  return stage.userids.includes(userid) || stage.teamids.some((teamid) => teams.includes(teamid));
}

/**
 * Why a person cannot sign now: `stranger` no stage names them; `closed` the request has ended; `signed` they signed the
 * open stage; `passed` their stage is done; `waiting` a stage before theirs is not done.
 */
export type SigningRefusal = 'stranger' | 'closed' | 'signed' | 'passed' | 'waiting';

/** The stage that the person may sign now, or why they may not. */
export function whatToSign(
  request: SignedSoFar,
  signer: Signer,
): { stage: ApprovalStage } | { refusal: SigningRefusal } {
  const { open, stages } = foldApproval(request);
  const named = stages.filter(({ stage }) => isNamed(stage, signer));
  if (named.length === 0) return { refusal: 'stranger' };
  if (open === null) return { refusal: 'closed' };
  const current = named.find(({ stage }) => stage === open);
  if (current !== undefined) {
    const hasSigned = current.signatures.some((one) => one.userid === signer.userid);
    return hasSigned ? { refusal: 'signed' } : { stage: current.stage };
  }
  return { refusal: named.some(({ status }) => status === 'waiting') ? 'waiting' : 'passed' };
}

/** Whether a signature in the stage may say this: what the stage asks for, or a rejection. */
export function mayMean(stage: Pick<ApprovalStage, 'meaning'>, meaning: SignatureMeaning): boolean {
  return meaning === 'rejected' || meaning === stage.meaning;
}

/** As much of a request as {@link foldApproval} needs. */
export function signedSoFar(
  request: Pick<GuideApprovalRequest, 'stages' | 'signatures' | 'status'>,
): SignedSoFar {
  const { stages, signatures, status } = request;
  return { stages, signatures, isVoid: status === 'void' };
}

/**
 * Whether a request is about this very version of the guide, the one that is signed or the one that was made of it, with
 * the forms that it has now.
 */
export function isAbout(
  request: Pick<GuideApprovalRequest, 'guide_revisionid' | 'published_guide_revisionid' | 'forms_changed'>,
  { guide_revisionid }: Pick<GuideFacts, 'guide_revisionid'>,
): boolean {
  const isOfVersion =
    request.guide_revisionid === guide_revisionid || request.published_guide_revisionid === guide_revisionid;
  return isOfVersion && request.forms_changed !== true;
}

/** Whether all stages of a request about this very version signed; a later request takes nothing of that away. */
export function isApproved(guide: Pick<GuideFacts, 'approval' | 'guide_revisionid'>): boolean {
  return (guide.approval?.requests ?? []).some((one) => one.status === 'approved' && isAbout(one, guide));
}

/**
 * How a guide stands to its process: `none` it is under none; `unapproved` this version was not asked about; `pending` a
 * request about it is open; `approved` one was signed by all stages, whatever became of others; else the state of the
 * newest request, if that is about this version or became void by it.
 */
export function approvalStateOf(
  guide: Pick<GuideFacts, 'approval' | 'guide_revisionid'>,
): 'none' | 'unapproved' | ApprovalStatus {
  if (guide.approval === undefined) return 'none';
  const newest = guide.approval.requests.at(-1);
  if (newest === undefined) return 'unapproved';
  if (isApproved(guide) && newest.status !== 'pending') return 'approved';
  if (newest.status === 'void') return 'void';
  return isAbout(newest, guide) ? newest.status : 'unapproved';
}

/** The open request of a guide; undefined when there is none. */
export function openRequest(guide: Pick<GuideFacts, 'approval'>): GuideApprovalRequest | undefined {
  return guide.approval?.requests.find((one) => one.status === 'pending');
}

/** A moment in UTC as forms of a guide show it: `2026-11-22 06:00:00 UTC`. `date`: UNIX seconds. */
export function utcText(date: number): string {
  return `${new Date(date * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Requests with the signatures that a human-readable form of this version of the guide shows. */
export function signedRequests(
  guide: Pick<GuideFacts, 'approval' | 'guide_revisionid'>,
): GuideApprovalRequest[] {
  return (guide.approval?.requests ?? []).filter(
    (request) => request.signatures.length > 0 && isAbout(request, guide),
  );
}
