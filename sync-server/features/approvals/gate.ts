import type { Selectable } from 'kysely';

import { invalid } from '#shared/api/problem.ts';
import type { ApprovalPurpose } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience, requestAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

import { republishGuideAudience } from '../guides/audience.ts';
import { defaultProcess } from './defaults.ts';
import { findOpen, processOfGuide, withApproval } from './facts.ts';
import { mustFindProcess } from './processes.ts';
import { besideNow, revisionHash } from './revision-hash.ts';
import { tellOfRequest } from './webhook-events.ts';

/** An approved request that makes a version public. */
export interface Publication {
  approval_requestid: number;
  /** Who asked: the version is theirs. */
  userid: number;
}

/** A version of a guide on its way into the store. */
export interface ApprovedVersion {
  /** As it may be stored: not public while its process has not approved it. Without its approval. */
  facts: GuideFacts;
  /** Columns of the row of the guide before it is stored. */
  former: FormerColumns;
  /** After it was stored: requests follow it. Answers the facts with their approval. */
  settle: () => Promise<GuideFacts>;
}

/**
 * Every version of a guide passes here. A new guide takes the process of its category; a version of a guide under a
 * process that would become public stays private, and a request is raised for it; a request about an earlier version
 * becomes void. Only a publication that all stages signed passes.
 */
export async function enforceApproval(
  ctx: Context,
  wanted: GuideFacts,
  publication: Publication | null,
): Promise<ApprovedVersion> {
  const { approval: _approval, ...facts } = wanted;
  const { guideid } = facts;
  const row = must((await columnsOf(ctx.db, { guideid }))[0], 'the guide');
  if (row.revisionid === 0) await adopt(ctx, facts);
  if ((await processOfGuide(ctx.db, guideid)) === null)
    return { facts, former: row, settle: async () => facts };
  const before = await findDocument(ctx.db, 'guides', guideid);
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

async function adopt(ctx: Context, { guideid, category }: GuideFacts): Promise<void> {
  const approval_processid = await defaultProcess(ctx.db, category);
  if (approval_processid === null) return;
  await ctx.db.insertInto('guide_approvals').values({ guideid, approval_processid }).execute();
}

/** Whether the guide is only made public by an approval. */
export async function isUnderProcess(ctx: Context, guideid: number): Promise<boolean> {
  return (await processOfGuide(ctx.db, guideid)) !== null;
}

/**
 * Asks for the approval of the version of now, without making another; the same again changes nothing. 422 while an
 * approval for another purpose is under way.
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

/** Takes an open request to publish back. */
export async function withdraw(ctx: Context, facts: GuideFacts): Promise<GuideFacts> {
  const open = await findOpen(ctx.db, facts.guideid);
  if (open?.purpose !== 'publish') return facts;
  await voidOpen(ctx, facts.guideid, 'The request was withdrawn');
  return showApproval(ctx, facts);
}

/** A form of the guide becomes another one: nobody signs a version whose form they did not see. */
export async function endWithForm(ctx: Context, facts: GuideFacts): Promise<GuideFacts> {
  if ((await findOpen(ctx.db, facts.guideid)) === undefined) return facts;
  await voidOpen(ctx, facts.guideid, 'A form of the guide was changed');
  return showApproval(ctx, facts);
}

/** A form of the guide became another one: what is signed for the former no longer stands for the version. */
export async function followForm(ctx: Context, facts: GuideFacts): Promise<void> {
  if (facts.approval !== undefined) await showApproval(ctx, facts);
}

/** The guide is gone: nobody signs it any more. */
export async function endWithGuide(ctx: Context, guideid: number): Promise<void> {
  await voidOpen(ctx, guideid, 'The guide was deleted');
}

/** Tells devices how the version of now stands to its process, if that is another way; what it says stays. */
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
  const beside = await besideNow(ctx.db, facts);
  const revision_hash = await revisionHash(ctx.db, facts, beside);
  if (revision_hash === null)
    throw new Error(`Version ${guide_revisionid} of guide ${guideid} is not stored`);
  // What the server does by itself it does for the author.
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
      prerequisites: JSON.stringify(beside.pinned),
      forms: JSON.stringify(beside.forms),
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
  await tellOfRequest(ctx, 'approval.requested', approval_requestid);
}

/** Ends the open request of a guide, if there is one, and takes the release away that waited for it. */
async function voidOpen(ctx: Context, guideid: number, reason: string): Promise<void> {
  const open = await findOpen(ctx.db, guideid);
  if (open !== undefined) await closeRefused(ctx, open.approval_requestid, { status: 'void', reason });
}

/** Ends an open request without an approval; a release that waited for it goes. */
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
  await tellOfRequest(ctx, status === 'void' ? 'approval.voided' : 'approval.rejected', approval_requestid);
}

/** Ends a request that all stages signed. `published`: the version that it made. */
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
  await tellOfRequest(ctx, 'approval.completed', approval_requestid);
}
