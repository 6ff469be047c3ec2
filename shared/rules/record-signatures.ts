import type { RecordMeaning } from '#shared/model/record-signature.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';

import { decidesDeviations, type Lead } from './deviations.ts';
import { foldEntry } from './work-log.ts';

/**
 * The meanings with which a person may sign the record of an order; none while it is open.
 *
 * - WORK-RECORD-4 Whoever finished or cancelled an order signs that they performed it. Leads of the teams that did the work
 *   sign that they reviewed or released it, but not work of their own; administrators sign so for any. Neither kiosks nor
 *   administrators who act as another person sign. A person signs once with each meaning.
 */
export function recordMeaningsOf(person: Lead, entry: EntryFacts): RecordMeaning[] {
  if (foldEntry(entry).endtime === null) return [];
  const isOwn = entry.events.at(-1)?.userid === person.userid;
  return [
    ...(isOwn ? (['performed'] as const) : []),
    ...(decidesDeviations(person, entry) ? (['reviewed', 'released'] as const) : []),
  ];
}
