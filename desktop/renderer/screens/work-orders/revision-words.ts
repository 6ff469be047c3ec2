import { text } from '#desktop/renderer/text/en.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';

/** "Revision 7 of 3 November 2026": a revision as people count it. */
export function revisionName({ counted, unsaved, guide_revisionid }: WorkedRevision): string {
  const name =
    counted === undefined
      ? text.revisions.withoutNumber
      : text.revisions.name(counted.number, formatDay(counted.date * 1000));
  if (unsaved !== true) return name;
  return guide_revisionid === 0 || counted === undefined
    ? text.revisions.notNumbered
    : text.revisions.changed(name);
}

/** As {@link revisionName}, and whether it was approved; nothing more in a guide without an approval process. */
export function revisionWords(revision: WorkedRevision): string {
  const { approval } = revision;
  const name = revisionName(revision);
  return approval === undefined ? name : text.revisions.withState(name, text.revisions.states[approval]);
}
