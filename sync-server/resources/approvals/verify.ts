import type { Db } from '#server/storage/tables.ts';

import { revisionHash } from './revision-hash.ts';

/** A signature that does not fit what is stored. */
export interface BrokenSignature {
  approval_signatureid: number;
  approval_requestid: number;
  guideid: number;
  guide_revisionid: number;
  name: string;
  reason: string;
}

/** Computes the hash of every signed version anew: how many signatures there are, and which do not fit. */
export async function verifySignatures(db: Db): Promise<{ signatures: number; broken: BrokenSignature[] }> {
  const rows = await db
    .selectFrom('approval_signatures')
    .innerJoin(
      'approval_requests',
      'approval_requests.approval_requestid',
      'approval_signatures.approval_requestid',
    )
    .select(['approval_signatureid', 'approval_signatures.approval_requestid', 'guideid', 'guide_revisionid'])
    .select(['name', 'prerequisites', 'approval_requests.revision_hash as asked'])
    .select('approval_signatures.revision_hash as signed')
    .orderBy('approval_signatureid')
    .execute();
  const broken: BrokenSignature[] = [];
  for (const { prerequisites, asked, signed, ...row } of rows) {
    const pinned = JSON.parse(prerequisites) as { guideid: number; releaseid: number }[];
    const stored = await revisionHash(db, row, pinned);
    const reason =
      stored === null
        ? 'the version that was signed is gone'
        : stored !== signed
          ? 'the version is not what was signed'
          : asked !== signed
            ? 'the request is about something else'
            : null;
    if (reason !== null) broken.push({ ...row, reason });
  }
  return { signatures: rows.length, broken };
}
