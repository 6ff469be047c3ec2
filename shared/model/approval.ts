import { z } from 'zod';

import { userSummary } from './user.ts';

/**
 * The meaning of a signature (21 CFR 11.50): a stage requires `approved` or `reviewed`; `rejected` ends the request.
 */
export const signatureMeaning = z.enum(['approved', 'reviewed', 'rejected']);
export type SignatureMeaning = z.infer<typeof signatureMeaning>;

/** The meaning that a stage requires. */
export const stageMeaning = z.enum(['approved', 'reviewed']);

/** `void`: the guide was edited, withdrawn or deleted before all stages had signed. */
export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'void']);
export type ApprovalStatus = z.infer<typeof approvalStatus>;

/** The effect of the last signature. */
export const approvalPurpose = z.enum(['publish', 'release']);
export type ApprovalPurpose = z.infer<typeof approvalPurpose>;

/**
 * A stage: who may sign, with which meaning, and how many signatures it requires. A team stands for its members at the
 * time of signing.
 */
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

/** A signature: the person (`name`: their name at the time), the meaning, and the time (UNIX seconds). */
export const approvalSignature = z
  .strictObject({
    approval_stageid: z.int(),
    userid: z.int(),
    name: z.string(),
    meaning: signatureMeaning,
    comment: z.string(),
    /** How the person proved their identity: with their password, or with a single sign-on for this signature. */
    method: z.enum(['password', 'token']),
    date: z.int(),
  })
  .meta({ id: 'ApprovalSignature' });
export type ApprovalSignature = z.infer<typeof approvalSignature>;

/** The form of a step at the time of the approval request. */
export const signedForm = z
  .strictObject({ stepid: z.int(), form_revisionid: z.int() })
  .meta({ id: 'SignedForm' });
export type SignedForm = z.infer<typeof signedForm>;

/**
 * A request to approve one version of a guide, as part of the guide. `guide_revisionid`: the version to sign.
 * `published_guide_revisionid`: the version that the approval published (the same if it was public already).
 * `revision_hash`: the SHA-256 of the version to sign.
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
    /**
     * The forms that are signed with it, in the order of the steps; absent in requests from before forms were signed.
     */
    forms: z.array(signedForm).optional(),
    /** Set when a form of the guide has changed since, so that this version is no longer the one that was signed. */
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
 * The approval process of a guide, and the requests about this version; also the newest request if it was about an
 * earlier version.
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
  /** The categories whose default it is. */
  wikiids: z.array(z.int()),
  created_date: z.int(),
  modified_date: z.int(),
};

/** A process: its stages in order. */
export const approvalProcess = z.strictObject(processFields).meta({ id: 'ApprovalProcess' });
export type ApprovalProcess = z.infer<typeof approvalProcess>;

/** A stage of a request with its signatures. */
const signedStage = z
  .strictObject({ ...approvalStage.shape, status: stageStatus, signatures: z.array(approvalSignature) })
  .meta({ id: 'SignedStage' });

/** A request with process and stages (not in the spec; as on live servers). */
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
    /** The forms that are signed with it, in the order of the steps; null in requests from before forms were signed. */
    forms: z.array(signedForm).nullable(),
    /** The version that the approval published, or that was public already; null until then. */
    published_guide_revisionid: z.int().nullable(),
    /** The `revisionid` of the last approved version, else of the last public one; null when there is none. */
    last_public_revisionid: z.int().nullable(),
    releaseid: z.int().nullable(),
    requester: userSummary.nullable(),
    /** The open stage, if any. */
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

/** A process with its open requests, as far as the caller may see them. */
export const approvalProcessDetails = z
  .strictObject({ ...processFields, requests: z.array(approvalRequest) })
  .meta({ id: 'ApprovalProcessDetails' });
