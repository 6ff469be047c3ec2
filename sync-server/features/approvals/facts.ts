import type { Selectable } from 'kysely';

import type {
  ApprovalSignature,
  ApprovalStage,
  GuideApproval,
  GuideApprovalRequest,
} from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { isAbout } from '#shared/rules/approvals.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { formsOf, isVersionOfNow, signedFormsOf } from './signed-forms.ts';

export type RequestRow = Selectable<Tables['approval_requests']>;

const processOf = prepared<{ guideid: number }, { approval_processid: number }>((db, value) =>
  db.selectFrom('guide_approvals').select('approval_processid').where('guideid', '=', value('guideid')),
);

/** The approval process of a guide; null if it has none. */
export async function processOfGuide(db: Db, guideid: number): Promise<number | null> {
  const [row] = await processOf(db, { guideid });
  return row?.approval_processid ?? null;
}

/** The open request of a guide. */
export function findOpen(db: Db, guideid: number): Promise<RequestRow | undefined> {
  return db
    .selectFrom('approval_requests')
    .selectAll()
    .where('guideid', '=', guideid)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

/** Signatures by request id, in the order of signing. */
export async function signaturesOf(
  db: Db,
  requestids: readonly number[],
): Promise<Map<number, ApprovalSignature[]>> {
  if (requestids.length === 0) return new Map();
  const rows = await db
    .selectFrom('approval_signatures')
    .selectAll()
    .where('approval_requestid', 'in', requestids)
    .orderBy('approval_signatureid')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.approval_requestid);
  return new Map(
    [...groups].map(([id, list]) => [
      id,
      list.map(({ approval_stageid, userid, name, meaning, comment, method, date }) => ({
        approval_stageid,
        userid,
        name,
        meaning,
        comment,
        method,
        date,
      })),
    ]),
  );
}

/** When approval of releases was requested (UNIX seconds), by releaseid. Releases without a request are left out. */
export async function requestDates(db: Db, releaseids: readonly number[]): Promise<Map<number, number>> {
  if (releaseids.length === 0) return new Map();
  const rows = await db
    .selectFrom('approval_requests')
    .select(['releaseid', 'init_date'])
    .where('releaseid', 'in', releaseids)
    .execute();
  return new Map(rows.map((row) => [row.releaseid ?? 0, row.init_date]));
}

export function stagesOf(row: Pick<RequestRow, 'stages'>): ApprovalStage[] {
  return JSON.parse(row.stages) as ApprovalStage[];
}

/**
 * The approval state of a version of a guide: the requests about it. For the current version (`isCurrent`) this
 * includes the newest request, even if it is about an earlier version. Undefined for a guide without a process.
 * Comments and reasons are left out of public guides, because only people who see the requests may read them.
 */
async function approvalOf(
  db: Db,
  version: Pick<GuideFacts, 'guideid' | 'guide_revisionid' | 'public' | 'steps'>,
  isCurrent: boolean,
): Promise<GuideApproval | undefined> {
  const approval_processid = await processOfGuide(db, version.guideid);
  if (approval_processid === null) return undefined;
  const rows = await db
    .selectFrom('approval_requests')
    .innerJoin(
      'approval_processes',
      'approval_processes.approval_processid',
      'approval_requests.approval_processid',
    )
    .selectAll('approval_requests')
    .select('name')
    .where('guideid', '=', version.guideid)
    .orderBy('approval_requestid')
    .execute();
  const shown = rows.filter(
    (row, index) => isAbout(row, version) || (isCurrent && index === rows.length - 1),
  );
  const signatures = await signaturesOf(
    db,
    shown.map((row) => row.approval_requestid),
  );
  // Earlier versions stay as they were signed.
  const forms = (await isVersionOfNow(db, version)) ? await formsOf(db, version) : null;
  const requests = shown.map((row): GuideApprovalRequest => {
    const { approval_requestid, name, purpose, status, revisionid, guide_revisionid } = row;
    const { published_guide_revisionid, revision_hash, userid, init_date, end_date, reason } = row;
    const signed = signedFormsOf(row);
    return {
      approval_requestid,
      process: name,
      purpose,
      status,
      revisionid,
      guide_revisionid,
      published_guide_revisionid,
      revision_hash,
      ...(signed === null ? {} : { forms: signed }),
      ...(signed === null || forms === null || sameValue(signed, forms)
        ? {}
        : { forms_changed: true as const }),
      userid,
      init_date,
      end_date,
      reason: version.public ? null : reason,
      stages: stagesOf(row),
      signatures: (signatures.get(approval_requestid) ?? []).map((one) =>
        version.public ? { ...one, comment: '' } : one,
      ),
    };
  });
  return { approval_processid, requests };
}

/**
 * The facts with the current approval state of this version.
 *
 * - APPROVAL-12 Every readable form of a version (the API, the page, the oManual document, the player including
 *   releases and archives, and print) shows its signatures with name, meaning, time in UTC, and purpose (publication or
 *   release). With changes that wait on a device it is another version, which nobody signed. A version that all stages
 *   signed stays approved if a later request about it is rejected or voided. A later version shows them, if at all, as
 *   the signatures of an earlier version.
 */
export async function withApproval(db: Db, facts: GuideFacts, isCurrent: boolean): Promise<GuideFacts> {
  const { approval: _before, ...rest } = facts;
  const approval = await approvalOf(db, facts, isCurrent);
  return approval === undefined ? rest : { ...rest, approval };
}
