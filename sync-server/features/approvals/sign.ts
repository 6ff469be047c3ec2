import type { Decision } from '#shared/api/approvals.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import type { ApprovalSignature, ApprovalStage, SignatureMeaning } from '#shared/model/approval.ts';
import { must } from '#shared/must.ts';
import { foldApproval, mayMean, whatToSign, type SigningRefusal } from '#shared/rules/approvals.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';

import { followNewRelease } from '../guides/audience.ts';
import { saveGuide } from '../guides/store.ts';
import { afterSignature } from '../tokens/notices.ts';
import { readPerson } from '../users/store.ts';
import type { RequestRow } from './facts.ts';
import { closeApproved, closeRefused, showApproval } from './gate.ts';
import { mustBeSigner } from './policy.ts';
import { representRequest } from './requests.ts';
import { additionsOf, revisionHash } from './revision-hash.ts';
import { announceSignature } from './webhook-events.ts';

const meanings = { approve: 'approved', review: 'reviewed', reject: 'rejected' } as const satisfies Record<
  Decision['decision'],
  SignatureMeaning
>;

/** Throws 422 for a rejection without a reason. */
export function mustGiveReason({ decision, comment }: Decision): void {
  if (decision === 'reject' && comment === '') throw invalid('comment', 'Say why you reject it');
}

/**
 * Signs the open stage as the caller, who has proved their identity by `method`. Then the next stage opens, or the
 * request is rejected, or the guide is published or released. Returns a function to be called once the signature is
 * stored: it notifies the signer by mail if another person had changed how they sign in (USER-17).
 *
 * - APPROVAL-5 Stages open one after the other. A stage is done when the required number of people have signed; each
 *   person signs once in a stage. Signatures have the meaning that the stage asks for, `approved` or `reviewed`. A
 *   rejection needs a reason and ends the request.
 * - APPROVAL-6 Only people named by a stage can sign, directly or as members of a named team at the time of signing.
 *   Administrators are no exception, and nobody signs while acting as another person. Before their stage opens the
 *   answer is 422. If the request has ended, the stage is done or they have already signed, it is 409 with the request.
 * - APPROVAL-8 A signature records the userid, the name at that time, the meaning, the time in UTC and the hash of the
 *   version. If the version differs by a single byte, or the signer saw another hash, the answer is 409.
 */
export async function sign(
  ctx: Context,
  approval_requestid: number,
  decision: Decision,
  method: ApprovalSignature['method'],
): Promise<() => void> {
  const { row, soFar } = await mustBeSigner(ctx, approval_requestid);
  mustGiveReason(decision);
  const meaning = meanings[decision.decision];
  const turn = whatToSign(soFar, ctx.viewer);
  if ('refusal' in turn) return refuse(ctx, approval_requestid, turn.refusal);
  mustBeAsked(turn.stage, meaning);
  await mustBeUnchanged(ctx, row, decision.revision_hash);
  const userid = mustUserid(ctx);
  const signature: ApprovalSignature = {
    approval_stageid: turn.stage.approval_stageid,
    userid,
    name: (await readPerson(ctx.db, userid)).username,
    meaning,
    comment: decision.comment,
    method,
    date: ctx.seconds,
  };
  const { revision_hash } = row;
  await ctx.db
    .insertInto('approval_signatures')
    .values({ approval_requestid, revision_hash, ...signature })
    .execute();
  await announceSignature(ctx, approval_requestid, signature);
  const notify = await afterSignature(ctx, userid);
  await follow(
    ctx,
    row,
    foldApproval({ ...soFar, signatures: [...soFar.signatures, signature] }).status,
    decision,
  );
  return notify;
}

async function refuse(ctx: Context, approval_requestid: number, refusal: SigningRefusal): Promise<never> {
  if (refusal === 'waiting') throw invalid('approval_requestid', 'A stage before yours is not done yet');
  throw conflict(await representRequest(ctx, approval_requestid));
}

function mustBeAsked(stage: ApprovalStage, meaning: SignatureMeaning): void {
  if (!mayMean(stage, meaning))
    throw invalid('decision', `The stage ${stage.name} asks whether it is ${stage.meaning}`);
}

/** Throws 409 if the person saw another version, or the stored version is not the one that the request is about. */
async function mustBeUnchanged(ctx: Context, row: RequestRow, seen: string | undefined): Promise<void> {
  const stored = await revisionHash(ctx.db, row, additionsOf(row));
  if (stored !== row.revision_hash)
    ctx.services.log.error(
      { approval_requestid: row.approval_requestid },
      'the version that a request is about is no longer what it was',
    );
  if (stored !== row.revision_hash || (seen !== undefined && seen !== row.revision_hash))
    throw conflict(await representRequest(ctx, row.approval_requestid));
}

async function follow(
  ctx: Context,
  row: RequestRow,
  status: ReturnType<typeof foldApproval>['status'],
  { comment }: Decision,
): Promise<void> {
  const { approval_requestid } = row;
  const facts = must(await findDocument(ctx.db, 'guides', row.guideid), 'the guide of an open request');
  if (status === 'approved' && row.purpose === 'publish' && !facts.public) {
    const { userid } = row;
    const publication = { approval_requestid, userid };
    await saveGuide(
      ctx,
      facts,
      contentOf(facts),
      { ...facts, public: true },
      { bumpGuide: true, publication },
    );
    return;
  }
  if (status === 'approved' && row.purpose === 'publish')
    await closeApproved(ctx, approval_requestid, { published: facts.guide_revisionid });
  if (status === 'approved' && row.purpose === 'release') {
    const releaseid = must(row.releaseid, 'the release of the request');
    await ctx.db
      .updateTable('guide_releases')
      .set({ status: 'released', release_date: ctx.seconds })
      .where('releaseid', '=', releaseid)
      .execute();
    await closeApproved(ctx, approval_requestid, { published: null });
    await followNewRelease(ctx, row.guideid, releaseid);
  }
  if (status === 'rejected') await closeRefused(ctx, approval_requestid, { status, reason: comment });
  await showApproval(ctx, facts);
}
