import type {
  ApprovalSignature,
  ApprovalStage,
  ApprovalStatus,
  GuideApprovalRequest,
  SignatureMeaning,
  StageStatus,
} from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';

/** The signatures of a request, and whether an edit or withdrawal ended it. */
export interface SignedSoFar {
  /** In the order in which they open. */
  stages: readonly ApprovalStage[];
  /** In the order of signing. */
  signatures: readonly ApprovalSignature[];
  isVoid: boolean;
}

export interface FoldedApproval {
  status: ApprovalStatus;
  /** The stage that can be signed now; null when there is none. */
  open: ApprovalStage | null;
  stages: { stage: ApprovalStage; status: StageStatus; signatures: ApprovalSignature[] }[];
}

/**
 * Computes the state of a request. A stage is done when it has as many signatures as it requires; then the next one
 * opens. A rejection ends the request, and so does an edit or withdrawal before the last stage. After the last stage
 * the request stays approved.
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

/** A person whom a stage may name. */
export interface Signer {
  userid: number;
  teams: readonly number[];
}

/** Whether a stage names the person or one of their teams. */
export function isNamed(
  stage: Pick<ApprovalStage, 'userids' | 'teamids'>,
  { userid, teams }: Signer,
): boolean {
  return stage.userids.includes(userid) || stage.teamids.some((teamid) => teams.includes(teamid));
}

/**
 * Why a person cannot sign now. `stranger`: no stage names them. `closed`: the request has ended. `signed`: they
 * already signed the open stage. `passed`: their stage is done. `waiting`: an earlier stage is not done.
 */
export type SigningRefusal = 'stranger' | 'closed' | 'signed' | 'passed' | 'waiting';

/** The stage that the person can sign now, or why they cannot. */
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

/** Whether a signature in the stage may have this meaning: the one that the stage requires, or a rejection. */
export function mayMean(stage: Pick<ApprovalStage, 'meaning'>, meaning: SignatureMeaning): boolean {
  return meaning === 'rejected' || meaning === stage.meaning;
}

/** The part of a request that {@link foldApproval} needs. */
export function signedSoFar(
  request: Pick<GuideApprovalRequest, 'stages' | 'signatures' | 'status'>,
): SignedSoFar {
  const { stages, signatures, status } = request;
  return { stages, signatures, isVoid: status === 'void' };
}

/**
 * Whether a request is about exactly this version of the guide, signed or published from it, with its current forms.
 */
export function isAbout(
  request: Pick<GuideApprovalRequest, 'guide_revisionid' | 'published_guide_revisionid' | 'forms_changed'>,
  { guide_revisionid }: Pick<GuideFacts, 'guide_revisionid'>,
): boolean {
  const isOfVersion =
    request.guide_revisionid === guide_revisionid || request.published_guide_revisionid === guide_revisionid;
  return isOfVersion && request.forms_changed !== true;
}

/** Whether all stages of a request about exactly this version have signed. Later requests do not change that. */
export function isApproved(guide: Pick<GuideFacts, 'approval' | 'guide_revisionid'>): boolean {
  return (guide.approval?.requests ?? []).some((one) => one.status === 'approved' && isAbout(one, guide));
}

/**
 * The approval state of a guide. `none`: it has no process. `unapproved`: no request is about this version. `pending`:
 * a request about it is open. `approved`: a request about it was signed by all stages, whatever happened to others.
 * Else the state of the newest request, if it is about this version or was ended by it.
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

/** The open request of a guide, if any. */
export function openRequest(guide: Pick<GuideFacts, 'approval'>): GuideApprovalRequest | undefined {
  return guide.approval?.requests.find((one) => one.status === 'pending');
}

/** A time in UTC as readable forms of a guide show it: `2026-11-22 06:00:00 UTC`. `date`: UNIX seconds. */
export function utcText(date: number): string {
  return `${new Date(date * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The requests whose signatures a human-readable form of this version of the guide shows. */
export function signedRequests(
  guide: Pick<GuideFacts, 'approval' | 'guide_revisionid'>,
): GuideApprovalRequest[] {
  return (guide.approval?.requests ?? []).filter(
    (request) => request.signatures.length > 0 && isAbout(request, guide),
  );
}
