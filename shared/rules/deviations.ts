import type { EntryFacts } from '#shared/model/work-log.ts';

import { foldEntry } from './work-log.ts';

/** A person who might decide. `leads`: the teams that they own. */
export interface Lead {
  userid: number;
  isAdmin: boolean;
  leads: readonly number[];
}

/**
 * Whether a person decides about deviations of an entry (DEVIATION-5). Leads of the teams that did the work do, but not
 * about work of their own. Administrators do for any, so that a site with one person is not stuck.
 */
export function decidesDeviations({ userid, isAdmin, leads }: Lead, entry: EntryFacts): boolean {
  if (isAdmin) return true;
  const isLead = (entry.teamids ?? []).some((teamid) => leads.includes(teamid));
  return isLead && !foldEntry(entry).participants.includes(userid);
}
