import { text } from '#desktop/renderer/text/en.ts';
import type { CountedRevision } from '#shared/model/revision.ts';
import type { EarlierRevision } from '#shared/model/planned-orders.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';

/** By which revision a planned order was started, and which one the guide had when the start arrived. */
export function earlierWords({ worked, present }: EarlierRevision): string {
  return worked.number === present.number
    ? text.planned.earlierForms(nameOf(worked))
    : text.planned.earlier(nameOf(worked), nameOf(present));
}

function nameOf({ number, date }: CountedRevision): string {
  return text.revisions.name(number, formatDay(date * 1000));
}
