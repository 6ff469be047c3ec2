import type { Selectable } from 'kysely';

import { foldApproval } from '#shared/rules/approvals.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { stagesOf, type RequestRow } from './facts.ts';
import { mismatchOfPublished } from './published.ts';
import { additionsOf, revisionHash } from './revision-hash.ts';
import { differenceFrom, recordedSignatures } from './audit-state.ts';

type SignatureRow = Selectable<Tables['approval_signatures']>;

/** A signature, or a request (then `approval_signatureid` and `name` are null), that fails verification. */
export interface BrokenSignature {
  approval_signatureid: number | null;
  approval_requestid: number;
  guideid: number;
  guide_revisionid: number;
  name: string | null;
  reason: string;
}

/**
 * Verifies all signatures: recomputes the hash of every signed version, compares every signature and request with the
 * audit log, compares what was published with what was signed, and checks that approved requests have their signatures.
 * Returns the number of signatures and the failures. `verifyAudit` checks the log itself.
 *
 * - APPROVAL-16 The audit log contains every value of signatures and requests. `benchbook approvals verify` lists each
 *   one that was changed, deleted or inserted by bypassing the server, and each approved request without the required
 *   signatures. It also reports an audit log that was altered. Then its exit status is 1.
 * - APPROVAL-17 `benchbook approvals verify` compares what readers see under signatures with what was signed: the
 *   published version and, while it is current, the record and the forms that are read and sent to devices. The
 *   category is left out, because renaming it creates no version.
 */
export async function verifySignatures(db: Db): Promise<{ signatures: number; broken: BrokenSignature[] }> {
  const requests = await db.selectFrom('approval_requests').selectAll().execute();
  const signatures = await db
    .selectFrom('approval_signatures')
    .selectAll()
    .orderBy('approval_signatureid')
    .execute();
  const recorded = await recordedSignatures(db);
  const byId = new Map(requests.map((row) => [row.approval_requestid, row]));
  const broken: BrokenSignature[] = [];
  const found = (request: RequestRow | undefined, of: Partial<SignatureRow>, reason: string): void =>
    void broken.push({
      approval_signatureid: of.approval_signatureid ?? null,
      approval_requestid: request?.approval_requestid ?? of.approval_requestid ?? 0,
      guideid: request?.guideid ?? 0,
      guide_revisionid: request?.guide_revisionid ?? 0,
      name: of.name ?? null,
      reason,
    });
  for (const request of requests) {
    const difference = differenceFrom(recorded.approval_requests.get(request.approval_requestid), request);
    if (difference !== null) found(request, {}, difference);
    const mismatch = await mismatchOfPublished(db, request);
    if (mismatch !== null) found(request, {}, mismatch);
    if (lacksSignatures(request, signatures))
      found(request, {}, 'it is approved without the signatures that its stages ask for');
  }
  for (const signature of signatures) {
    const request = byId.get(signature.approval_requestid);
    const reason =
      differenceFrom(recorded.approval_signatures.get(signature.approval_signatureid), signature) ??
      (await mismatchOf(db, signature, request));
    if (reason !== null) found(request, signature, reason);
  }
  for (const [id] of recorded.approval_requests)
    if (!byId.has(id))
      found(undefined, { approval_requestid: id }, 'the audit log tells of it, and it is gone');
  const there = new Set(signatures.map((row) => row.approval_signatureid));
  for (const [id, values] of recorded.approval_signatures) {
    if (there.has(id)) continue;
    const gone: Partial<SignatureRow> = { ...values, approval_signatureid: id };
    found(byId.get(gone.approval_requestid ?? 0), gone, 'the audit log tells of it, and it is gone');
  }
  return { signatures: signatures.length, broken };
}

/** Why a signature does not match the version that it is about; null if it does. */
async function mismatchOf(
  db: Db,
  { revision_hash }: SignatureRow,
  request: RequestRow | undefined,
): Promise<string | null> {
  if (request === undefined) return 'the request that was signed is gone';
  const stored = await revisionHash(db, request, additionsOf(request));
  if (stored === null) return 'the version that was signed is gone';
  if (stored !== revision_hash) return 'the version is not what was signed';
  return request.revision_hash === revision_hash ? null : 'the request is about something else';
}

function lacksSignatures(request: RequestRow, signatures: readonly SignatureRow[]): boolean {
  if (request.status !== 'approved') return false;
  const own = signatures.filter((one) => one.approval_requestid === request.approval_requestid);
  return foldApproval({ stages: stagesOf(request), signatures: own, isVoid: false }).status !== 'approved';
}
