import type { GuideFacts } from '#shared/model/guide.ts';
import type { CountedRevision } from '#shared/model/revision.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * The count of the next revision of a guide, saved at `date` (UNIX seconds).
 *
 * - GUIDE-REVISION-10 The revisions of a guide are counted 1, 2, 3 … in the order in which they were saved. A version that
 *   only makes it public or private, or gives it another author, keeps the number and date of its text.
 */
export function nextCount({ revision }: Pick<GuideFacts, 'revision'>, date: number): CountedRevision {
  return { number: (revision?.number ?? 0) + 1, date };
}

/** The count of a stored version. One that was stored before revisions were counted is counted among all versions. */
export async function countOf(
  db: Db,
  version: Pick<GuideFacts, 'guideid' | 'guide_revisionid' | 'revision' | 'modified_date'>,
): Promise<CountedRevision> {
  const { guideid, guide_revisionid, revision, modified_date: date } = version;
  if (revision !== undefined) return revision;
  const { number } = await db
    .selectFrom('guide_revisions')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .where('guideid', '=', guideid)
    .where('guide_revisionid', '<=', guide_revisionid)
    .executeTakeFirstOrThrow();
  return { number: Math.max(1, number), date };
}
