import type { Selectable } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import type { ApprovalPurpose } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience, requestAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findStored } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

import { republishGuideAudience } from '../guides/audience.ts';
import { defaultProcess } from './defaults.ts';
import { findOpen, processOfGuide, withApproval } from './facts.ts';
import { mustFindProcess } from './processes.ts';
import { currentAdditions, revisionHash } from './revision-hash.ts';
import { announceRequest } from './webhook-events.ts';

/** An approved request that publishes a version. */
export interface Publication {
  approval_requestid: number;
  /** The requester, who is recorded as the author of the published revision. */
  userid: number;
}

/** A version of a guide that is about to be stored. */
export interface ApprovedVersion {
  /** The facts to store, without `approval`: not public until the process has approved this version. */
  facts: GuideFacts;
  /** Columns of the guide's row before the version is stored. */
  former: FormerColumns;
  /** To be called after the version is stored: updates requests. Returns the facts with `approval`. */
  settle: () => Promise<GuideFacts>;
}

/**
 * Applies the approval process to a version before it is stored; every version of a guide passes through here.
 *
 * - APPROVAL-4 Any call that would publish a guide under a process (its own endpoint, a patch, its creation, a batch,
 *   an import) leaves it private, raises a request for that version, and returns the guide with its `approval`.
 *   Repeating the call changes nothing. In the same way a release stays `pending`; other versions wait until it ends.
 * - APPROVAL-9 The last signature publishes the version as a new revision of the requester, or releases it, in the same
 *   transaction. Webhooks, search, reputation and devices are updated as for any publication. Nothing else publishes a
 *   guide under a process.
 * - APPROVAL-10 A new version of the guide, another form of one of its steps, a withdrawal (making it private again)
 *   and its deletion void the open request, in the same transaction, with the reason.
 * - APPROVAL-15 A version that a release or a publication made public stays public when it is edited. The edit is a new
 *   version without signatures, and is shown as such. Making it public again requests its approval: the guide stays as
 *   it is, and the last signature makes this version the approved one.
 */
export async function enforceApproval(
  ctx: Context,
  wanted: GuideFacts,
  publication: Publication | null,
): Promise<ApprovedVersion> {
  const { approval: _approval, ...facts } = wanted;
  const { guideid } = facts;
  const [[found], known] = await Promise.all([
    columnsOf(ctx.db, { guideid }),
    processOfGuide(ctx.db, guideid),
  ]);
  const row = must(found, 'the guide');
  const process = row.revisionid === 0 ? await adopt(ctx, facts) : known;
  if (process === null) return { facts, former: row, settle: async () => facts };
  const before = await findStored(ctx, 'guides', guideid);
  const isHeld = facts.public && row.public === 0 && publication === null;
  const gated = isHeld ? { ...facts, public: false, published_date: before?.published_date ?? 0 } : facts;
  return {
    facts: gated,
    former: row,
    settle: async () => {
      if (publication === null) await voidOpen(ctx, guideid, 'The guide was edited');
      else await closeApproved(ctx, publication.approval_requestid, { published: gated.guide_revisionid });
      if (isHeld) await raise(ctx, gated, 'publish');
      const stored = await withApproval(ctx.db, gated, true);
      if (before !== undefined && !sameValue(guideAudience(before), guideAudience(stored)))
        await republishGuideAudience(ctx, guideid, stored);
      return stored;
    },
  };
}

type FormerColumns = Pick<Selectable<Tables['guides']>, 'revisionid' | 'public' | 'category' | 'userid'>;

const columnsOf = prepared<{ guideid: number }, FormerColumns>((db, value) =>
  db
    .selectFrom('guides')
    .select(['revisionid', 'public', 'category', 'userid'])
    .where('guideid', '=', value('guideid')),
);

/** Puts a new guide under the process of its category. Returns the process; null: the category has none. */
async function adopt(ctx: Context, { guideid, category }: GuideFacts): Promise<number | null> {
  const approval_processid = await defaultProcess(ctx.db, category);
  if (approval_processid !== null)
    await ctx.db.insertInto('guide_approvals').values({ guideid, approval_processid }).execute();
  return approval_processid;
}

/** Whether publishing the guide requires an approval. */
export async function isUnderProcess(ctx: Context, guideid: number): Promise<boolean> {
  return (await processOfGuide(ctx.db, guideid)) !== null;
}

/**
 * Requests approval of the current version without creating another; repeating the call changes nothing. Throws 422
 * while a request for another purpose is open.
 */
export async function askForApproval(
  ctx: Context,
  facts: GuideFacts,
  purpose: ApprovalPurpose,
  releaseid: number | null = null,
): Promise<GuideFacts> {
  const open = await findOpen(ctx.db, facts.guideid);
  if (open !== undefined && open.purpose === purpose && purpose === 'publish') return facts;
  if (open !== undefined)
    throw invalid('guideid', 'An approval of this version is under way; it ends before another begins');
  await raise(ctx, facts, purpose, releaseid);
  return showApproval(ctx, facts);
}

/** Withdraws an open request for publication. */
export async function withdraw(ctx: Context, facts: GuideFacts): Promise<GuideFacts> {
  const open = await findOpen(ctx.db, facts.guideid);
  if (open?.purpose !== 'publish') return facts;
  await voidOpen(ctx, facts.guideid, 'The request was withdrawn');
  return showApproval(ctx, facts);
}

/** Voids the open request before a form of the guide changes, because the signers have not seen the new form. */
export async function endWithForm(ctx: Context, facts: GuideFacts): Promise<GuideFacts> {
  if ((await findOpen(ctx.db, facts.guideid)) === undefined) return facts;
  await voidOpen(ctx, facts.guideid, 'A form of the guide was changed');
  return showApproval(ctx, facts);
}

/** Updates the approval state after a form of the guide changed: signatures for the old form no longer apply. */
export async function followForm(ctx: Context, facts: GuideFacts): Promise<void> {
  if (facts.approval !== undefined) await showApproval(ctx, facts);
}

/** Voids the open request of a deleted guide. */
export async function endWithGuide(ctx: Context, guideid: number): Promise<void> {
  await voidOpen(ctx, guideid, 'The guide was deleted');
}

/** Publishes the approval state of the current version to devices if it changed. Returns the facts with that state. */
export async function showApproval(ctx: Context, facts: GuideFacts): Promise<GuideFacts> {
  const shown = await withApproval(ctx.db, facts, true);
  if (sameValue(shown, facts)) return facts;
  ctx.changes.put('guides', facts.guideid, shown, guideAudience(shown));
  if (!sameValue(guideAudience(facts), guideAudience(shown)))
    await republishGuideAudience(ctx, facts.guideid, shown);
  return shown;
}

async function raise(
  ctx: Context,
  facts: GuideFacts,
  purpose: ApprovalPurpose,
  releaseid: number | null = null,
): Promise<void> {
  const { guideid, langid, revisionid, guide_revisionid } = facts;
  const approval_processid = await processOfGuide(ctx.db, guideid);
  if (approval_processid === null) throw new Error(`Guide ${guideid} is under no process`);
  const { stages } = await mustFindProcess(ctx.db, approval_processid);
  const additions = await currentAdditions(ctx.db, facts);
  const revision_hash = await revisionHash(ctx.db, facts, additions);
  if (revision_hash === null)
    throw new Error(`Version ${guide_revisionid} of guide ${guideid} is not stored`);
  // The server acts in the name of the author.
  const userid = ctx.viewer.userid === 0 ? facts.userid : ctx.viewer.userid;
  const { approval_requestid } = await ctx.db
    .insertInto('approval_requests')
    .values({
      approval_processid,
      guideid,
      langid,
      purpose,
      revisionid,
      guide_revisionid,
      revision_hash,
      prerequisites: JSON.stringify(additions.pinned),
      forms: JSON.stringify(additions.forms),
      stages: JSON.stringify(stages),
      userid,
      status: 'pending',
      init_date: ctx.seconds,
      releaseid,
    })
    .returning('approval_requestid')
    .executeTakeFirstOrThrow();
  const audience = requestAudience(userid, stages);
  ctx.changes.put(
    'viewer',
    `approval:${guideid}`,
    { kind: 'approval', guideid, approval_requestid },
    audience,
  );
  await announceRequest(ctx, 'approval.requested', approval_requestid);
}

/** Voids the open request of a guide, if there is one, and deletes the release that waited for it. */
async function voidOpen(ctx: Context, guideid: number, reason: string): Promise<void> {
  const open = await findOpen(ctx.db, guideid);
  if (open !== undefined) await closeRefused(ctx, open.approval_requestid, { status: 'void', reason });
}

/** Ends an open request without approval and deletes the release that waited for it. */
export async function closeRefused(
  ctx: Context,
  approval_requestid: number,
  { status, reason }: { status: 'rejected' | 'void'; reason: string },
): Promise<void> {
  const { releaseid, guideid } = await ctx.db
    .selectFrom('approval_requests')
    .select(['releaseid', 'guideid'])
    .where('approval_requestid', '=', approval_requestid)
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('approval_requests')
    .set({ status, reason, end_date: ctx.seconds, releaseid: null })
    .where('approval_requestid', '=', approval_requestid)
    .execute();
  if (releaseid !== null)
    await ctx.db.deleteFrom('guide_releases').where('releaseid', '=', releaseid).execute();
  ctx.changes.remove('viewer', `approval:${guideid}`);
  await announceRequest(ctx, status === 'void' ? 'approval.voided' : 'approval.rejected', approval_requestid);
}

/** Ends a request that all stages signed. `published`: the `guide_revisionid` that it created. */
export async function closeApproved(
  ctx: Context,
  approval_requestid: number,
  { published }: { published: number | null },
): Promise<void> {
  const { guideid } = await ctx.db
    .updateTable('approval_requests')
    .set({ status: 'approved', end_date: ctx.seconds, published_guide_revisionid: published })
    .where('approval_requestid', '=', approval_requestid)
    .returning('guideid')
    .executeTakeFirstOrThrow();
  ctx.changes.remove('viewer', `approval:${guideid}`);
  await announceRequest(ctx, 'approval.completed', approval_requestid);
}
