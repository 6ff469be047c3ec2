import type { ConflictChoice, Decision, GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import { must } from '#shared/must.ts';

/** A decision about a conflict as it is shown. */
export function decided(
  shown: Pick<GuideConflictView, 'conflictid' | 'versions'> | undefined,
  choice: ConflictChoice,
): Decision {
  const { conflictid, versions } = must(shown, 'a conflict');
  return { conflictid, versions, choice };
}
