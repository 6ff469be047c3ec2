import { sql, type Selectable } from 'kysely';

import type { RequestFilter } from '#shared/api/approvals.ts';
import { notFound } from '#shared/api/problem.ts';
import type { ApprovalRequest, ApprovalSignature } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { foldApproval, isNamed, whatToSign, type SignedSoFar } from '#shared/rules/approvals.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { findDocument, visibleAudiences } from '#server/storage/feed.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findPeople } from '../users/store.ts';
import { signaturesOf, stagesOf, type RequestRow } from './facts.ts';
import { signedFormsOf } from './signed-forms.ts';

/** A request with its signatures so far, regardless of the viewer. */
export interface SignedRequest {
  row: RequestRow;
  soFar: SignedSoFar;
}

type NamedRow = RequestRow &
  Pick<Selectable<Tables['approval_processes']>, 'name' | 'description'> & { title: string };

/**
 * The request; throws 404 if the caller may not see it.
 *
 * - APPROVAL-11 People named by a stage of an open request see the guide while the request is open. A request can be
 *   seen by everyone who sees its guide, by its requester and its signers, and by administrators. For others it is 404.
 */
export async function mustSeeRequest(ctx: Context, approval_requestid: number): Promise<SignedRequest> {
  const row = await ctx.db
    .selectFrom('approval_requests')
    .selectAll()
    .where('approval_requestid', '=', approval_requestid)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Approval request');
  const signatures = (await signaturesOf(ctx.db, [approval_requestid])).get(approval_requestid) ?? [];
  const guide = await findDocument(ctx.db, 'guides', row.guideid);
  const { userid } = ctx.viewer;
  const access = {
    seesGuide: guide !== undefined && can(ctx.viewer, 'guide.see', guide),
    tookPart: row.userid === userid || signatures.some((one) => one.userid === userid),
  };
  if (!can(ctx.viewer, 'approvalRequest.see', access)) throw notFound('Approval request');
  return { row, soFar: soFarOf(row, signatures) };
}

function soFarOf(row: RequestRow, signatures: readonly ApprovalSignature[]): SignedSoFar {
  return { stages: stagesOf(row), signatures, isVoid: row.status === 'void' };
}

/** Requests with their processes and the titles of their guides. */
function selectRequests(db: Db) {
  return db
    .selectFrom('approval_requests')
    .innerJoin(
      'approval_processes',
      'approval_processes.approval_processid',
      'approval_requests.approval_processid',
    )
    .innerJoin('guides', 'guides.guideid', 'approval_requests.guideid')
    .selectAll('approval_requests')
    .select(['approval_processes.name', 'approval_processes.description', 'guides.title']);
}

/** The current request as the caller sees it; throws 404 if they may not see it. */
export async function representRequest(ctx: Context, approval_requestid: number): Promise<ApprovalRequest> {
  await mustSeeRequest(ctx, approval_requestid);
  const rows = await selectRequests(ctx.db).where('approval_requestid', '=', approval_requestid).execute();
  const [found] = await requestsOfRows(ctx, rows);
  if (found === undefined) throw notFound('Approval request');
  return found;
}

/**
 * A page of the requests that the caller may see.
 *
 * - APPROVAL-14 Requests can be filtered by status, guide, process, and whether they wait for the caller's signature.
 */
export async function listRequests(ctx: Context, filter: RequestFilter): Promise<ApprovalRequest[]> {
  const { status, guideid, approval_processid, waiting, order, limit, offset } = filter;
  let select = (await visibleRequests(ctx)).orderBy('approval_requestid', order === 'ASC' ? 'asc' : 'desc');
  if (status !== undefined) select = select.where('approval_requests.status', '=', status);
  if (guideid !== undefined) select = select.where('approval_requests.guideid', '=', guideid);
  if (approval_processid !== undefined)
    select = select.where('approval_requests.approval_processid', '=', approval_processid);
  if (!waiting) return requestsOfRows(ctx, await readPage(ctx, select, { limit, offset }));
  // No column says whose turn it is. Open requests are few, so each is checked.
  const open = await requestsOfRows(
    ctx,
    await select.where('approval_requests.status', '=', 'pending').execute(),
  );
  const mine = open.filter((request) => request.can_sign);
  ctx.total(mine.length);
  return mine.slice(offset, offset + limit);
}

async function visibleRequests(ctx: Context) {
  const select = selectRequests(ctx.db);
  const { userid, isAdmin, principals } = ctx.viewer;
  if (isAdmin) return select;
  const audiences = [0, ...(await visibleAudiences(ctx.db, principals))];
  const seen = ctx.db
    .selectFrom('documents')
    .select('id')
    .where('collection', '=', 'guides')
    .where('audience', 'in', audiences);
  const signed = ctx.db
    .selectFrom('approval_signatures')
    .select('approval_requestid')
    .where('userid', '=', userid);
  return select.where((eb) =>
    eb.or([
      eb(sql<string>`CAST(approval_requests.guideid AS TEXT)`, 'in', seen),
      eb('approval_requests.userid', '=', userid),
      eb('approval_requestid', 'in', signed),
    ]),
  );
}

/** The open requests of a process that the caller may see. */
export async function openRequestsOf(ctx: Context, approval_processid: number): Promise<ApprovalRequest[]> {
  const select = (await visibleRequests(ctx))
    .where('approval_requests.approval_processid', '=', approval_processid)
    .where('approval_requests.status', '=', 'pending')
    .orderBy('approval_requestid');
  return requestsOfRows(ctx, await select.execute());
}

async function requestsOfRows(ctx: Context, rows: readonly NamedRow[]): Promise<ApprovalRequest[]> {
  const signatures = await signaturesOf(
    ctx.db,
    rows.map((row) => row.approval_requestid),
  );
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  const found: ApprovalRequest[] = [];
  for (const row of rows) {
    const soFar = soFarOf(row, signatures.get(row.approval_requestid) ?? []);
    const person = people.get(row.userid);
    found.push({
      ...plainFields(row),
      requester: person === undefined ? null : userSummaryRecord(person, ctx.baseUrl),
      last_public_revisionid: await lastPublicRevision(ctx.db, row),
      can_sign: maySignNow(ctx, soFar),
      ...stageFields(soFar),
    });
  }
  return found;
}

function plainFields(row: NamedRow) {
  const { approval_requestid, approval_processid, name, description, guideid, title, langid, purpose } = row;
  const { status, revisionid, guide_revisionid, revision_hash, published_guide_revisionid } = row;
  const { releaseid, init_date, end_date, reason } = row;
  return {
    approval_requestid,
    approval_processid,
    process: { approval_processid, name, description },
    guideid,
    title,
    langid,
    purpose,
    status,
    revisionid,
    guide_revisionid,
    revision_hash,
    forms: signedFormsOf(row),
    published_guide_revisionid,
    releaseid,
    init_date,
    end_date,
    reason,
  };
}

function stageFields(soFar: SignedSoFar): Pick<ApprovalRequest, 'current_stageid' | 'stages'> {
  const { open, stages } = foldApproval(soFar);
  return {
    current_stageid: open?.approval_stageid ?? null,
    stages: stages.map(({ stage, status, signatures }) => ({ ...stage, status, signatures })),
  };
}

function maySignNow(ctx: Context, soFar: SignedSoFar): boolean {
  const { viewer } = ctx;
  const named = soFar.stages.some((stage) => isNamed(stage, viewer));
  return can(viewer, 'approvalRequest.sign', { isNamed: named }) && 'stage' in whatToSign(soFar, viewer);
}

/**
 * The `revisionid` of the public version to compare the signed one with: the last approved version, so that the signer
 * sees every change since then, or else the last public version; null if there is none.
 */
async function lastPublicRevision(
  db: Db,
  { approval_requestid, guideid, guide_revisionid, purpose }: RequestRow,
): Promise<number | null> {
  const approved = await db
    .selectFrom('approval_requests')
    .innerJoin('guide_revisions', (join) =>
      join
        .onRef('guide_revisions.guideid', '=', 'approval_requests.guideid')
        .onRef('guide_revisions.guide_revisionid', '=', 'published_guide_revisionid'),
    )
    .select('guide_revisions.revisionid')
    .where('approval_requests.guideid', '=', guideid)
    .where('status', '=', 'approved')
    .where('approval_requestid', '<', approval_requestid)
    // A request can be about an already public version, if only a form changed.
    .where('published_guide_revisionid', purpose === 'publish' ? '<=' : '<', guide_revisionid)
    .orderBy('approval_requestid', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (approved !== undefined) return approved.revisionid;
  const rows = await db
    .selectFrom('guide_revisions')
    .select(['revisionid', 'body'])
    .where('guideid', '=', guideid)
    .where('guide_revisionid', '<', guide_revisionid)
    // Quotes are escaped inside JSON strings, so this rarely matches anything but the field.
    .where(contains(db, 'body', '"public":true'))
    .orderBy('guide_revisionid', 'desc')
    .limit(3)
    .execute();
  return rows.find((row) => (JSON.parse(row.body) as GuideFacts).public)?.revisionid ?? null;
}
