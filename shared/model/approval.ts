import { z } from 'zod';

import { userSummary } from './user.ts';

/** What a signature says (21 CFR 11.50): a stage asks for `approved` or `reviewed`; `rejected` ends the request. */
export const signatureMeaning = z.enum(['approved', 'reviewed', 'rejected']);
export type SignatureMeaning = z.infer<typeof signatureMeaning>;

/** What a stage asks its people to say. */
export const stageMeaning = z.enum(['approved', 'reviewed']);

/** `void`: the guide was edited, withdrawn or deleted before everybody had signed. */
export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'void']);
export type ApprovalStatus = z.infer<typeof approvalStatus>;

/** What happens when the last stage has signed. */
export const approvalPurpose = z.enum(['publish', 'release']);
export type ApprovalPurpose = z.infer<typeof approvalPurpose>;

/** A stage: who may sign, what they say with it, and how many of them have to. Teams count as their members of the day. */
export const approvalStage = z
  .strictObject({
    approval_stageid: z.int(),
    name: z.string(),
    orderby: z.int(),
    meaning: stageMeaning,
    required_approvals: z.int().min(1),
    userids: z.array(z.int()),
    teamids: z.array(z.int()),
  })
  .meta({ id: 'ApprovalStage' });
export type ApprovalStage = z.infer<typeof approvalStage>;

/** A signature: who (`name` as it was printed on that day), what it means, and when (UTC, UNIX seconds). */
export const approvalSignature = z
  .strictObject({
    approval_stageid: z.int(),
    userid: z.int(),
    name: z.string(),
    meaning: signatureMeaning,
    comment: z.string(),
    /** How the person proved to be themselves: their password, or a single sign-on made for this signature. */
    method: z.enum(['password', 'token']),
    date: z.int(),
  })
  .meta({ id: 'ApprovalSignature' });
export type ApprovalSignature = z.infer<typeof approvalSignature>;

/** The form that a step had when the approval of its guide was asked for. */
export const signedForm = z
  .strictObject({ stepid: z.int(), form_revisionid: z.int() })
  .meta({ id: 'SignedForm' });
export type SignedForm = z.infer<typeof signedForm>;

/**
 * A request for the approval of one version of a guide, as a guide carries it. `guide_revisionid` names the version that
 * is signed, `published_guide_revisionid` the one that the approval made (the same, where that was public already);
 * `revision_hash` is the SHA-256 of the former.
 */
export const guideApprovalRequest = z
  .strictObject({
    approval_requestid: z.int(),
    /** Name of the process. */
    process: z.string(),
    purpose: approvalPurpose,
    status: approvalStatus,
    revisionid: z.int(),
    guide_revisionid: z.int(),
    published_guide_revisionid: z.int().nullable(),
    revision_hash: z.string(),
    /** The forms that are signed with it, in the order of the steps; absent: asked before forms were signed. */
    forms: z.array(signedForm).optional(),
    /** A form of the guide is another one since: this version is no longer what was signed. */
    forms_changed: z.literal(true).optional(),
    userid: z.int(),
    init_date: z.int(),
    end_date: z.int().nullable(),
    /** Why it was rejected or became void. */
    reason: z.string().nullable(),
    stages: z.array(approvalStage),
    signatures: z.array(approvalSignature),
  })
  .meta({ id: 'GuideApprovalRequest' });
export type GuideApprovalRequest = z.infer<typeof guideApprovalRequest>;

/**
 * That a guide is under an approval process, and the requests about this version of it; also the newest request when
 * that was about an earlier one.
 */
export const guideApproval = z
  .strictObject({ approval_processid: z.int(), requests: z.array(guideApprovalRequest) })
  .meta({ id: 'GuideApproval' });
export type GuideApproval = z.infer<typeof guideApproval>;

export const stageStatus = z.enum(['waiting', 'open', 'done', 'rejected', 'void']);
export type StageStatus = z.infer<typeof stageStatus>;

const processFields = {
  approval_processid: z.int(),
  name: z.string(),
  description: z.string(),
  stages: z.array(approvalStage),
  /** Categories that it is the default of. */
  wikiids: z.array(z.int()),
  created_date: z.int(),
  modified_date: z.int(),
};

/** A process: stages in their order. */
export const approvalProcess = z.strictObject(processFields).meta({ id: 'ApprovalProcess' });
export type ApprovalProcess = z.infer<typeof approvalProcess>;

/** A stage of a request with what was signed in it. */
const signedStage = z
  .strictObject({ ...approvalStage.shape, status: stageStatus, signatures: z.array(approvalSignature) })
  .meta({ id: 'SignedStage' });

/** A request with process and stages (spec: not shown; API facts 7). */
export const approvalRequest = z
  .strictObject({
    approval_requestid: z.int(),
    approval_processid: z.int(),
    process: z.strictObject({ approval_processid: z.int(), name: z.string(), description: z.string() }),
    guideid: z.int(),
    title: z.string(),
    langid: z.string(),
    purpose: approvalPurpose,
    status: approvalStatus,
    revisionid: z.int(),
    guide_revisionid: z.int(),
    revision_hash: z.string(),
    /** The forms that are signed with it, in the order of the steps; null: asked before forms were signed. */
    forms: z.array(signedForm).nullable(),
    /** The version that the approval made, or that was public already; null until then. */
    published_guide_revisionid: z.int().nullable(),
    /** The public `revisionid` before this version: the one approved last, else the last one; null when there is none. */
    last_public_revisionid: z.int().nullable(),
    releaseid: z.int().nullable(),
    requester: userSummary.nullable(),
    /** The stage that is open; null when none is. */
    current_stageid: z.int().nullable(),
    /** Whether the caller may sign now. */
    can_sign: z.boolean(),
    init_date: z.int(),
    end_date: z.int().nullable(),
    reason: z.string().nullable(),
    stages: z.array(signedStage),
  })
  .meta({ id: 'ApprovalRequest' });
export type ApprovalRequest = z.infer<typeof approvalRequest>;

/** A process with the requests that wait for signatures, of those that the caller sees. */
export const approvalProcessDetails = z
  .strictObject({ ...processFields, requests: z.array(approvalRequest) })
  .meta({ id: 'ApprovalProcessDetails' });
