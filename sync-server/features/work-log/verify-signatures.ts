import { sameValue } from '#shared/rules/same-value.ts';
import { findDocument } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { differenceFrom, recordedSignatures } from '../approvals/audit-state.ts';
import { sealedHash } from './seal.ts';

/** A signature of a record that fails verification. */
export interface BrokenRecordSignature {
  record_signatureid: number;
  entryid: number;
  name: string;
  reason: string;
}

/**
 * Verifies the signatures of records: compares each with the audit log, with the record as it is stored now, and with what
 * devices get. Returns their number and the failures. `verifyAudit` checks the log itself.
 *
 * - WORK-RECORD-7 `benchbook approvals verify` also lists each signature of a record that was changed, deleted or inserted
 *   by bypassing the server, and each one whose record is no longer what was signed.
 */
export async function verifyRecordSignatures(
  db: Db,
): Promise<{ signatures: number; broken: BrokenRecordSignature[] }> {
  const rows = await db.selectFrom('record_signatures').selectAll().orderBy('record_signatureid').execute();
  const { record_signatures: recorded } = await recordedSignatures(db);
  const broken: BrokenRecordSignature[] = [];
  for (const row of rows) {
    const { record_signatureid, entryid, name, sha256 } = row;
    const found = (reason: string): void => void broken.push({ record_signatureid, entryid, name, reason });
    const difference = differenceFrom(recorded.get(record_signatureid), row);
    if (difference !== null) found(difference);
    const entry = await findDocument(db, 'workLog', entryid);
    const { entryid: _entryid, ...signature } = row;
    const published = entry?.signatures?.find((one) => one.record_signatureid === record_signatureid);
    if (entry === undefined) found('the order that was signed is gone');
    else if (sealedHash(entry) !== sha256) found('the record is not what was signed');
    else if (!sameValue(published, signature)) found('what people see is another signature');
  }
  const there = new Set(rows.map(({ record_signatureid }) => record_signatureid));
  for (const [record_signatureid, values] of recorded) {
    if (there.has(record_signatureid)) continue;
    const { entryid, name } = values ?? {};
    broken.push({
      record_signatureid,
      entryid: Number(entryid ?? 0),
      name: typeof name === 'string' ? name : '',
      reason: 'the audit log tells of it, and it is gone',
    });
  }
  return { signatures: rows.length, broken };
}
