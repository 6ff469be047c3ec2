import { plansFor } from '#shared/rules/planned-orders.ts';
import { deciding } from '#server/core/deciding.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { isAmong } from '../audiences.ts';

/**
 * Who reads a summary.
 *
 * - SHIFT-3 The lead of the team, its members, and administrators read a summary, as long as they are that. Stations do not,
 *   although they may be members: a summary has the working times of people.
 */
export function summaryAudience(teamid: number): Principal[] {
  return ['admin', `lead:${teamid}`, `crew:${teamid}`];
}

const summaryRules = {
  'shift.see': (viewer: Viewer, { teamid }: { teamid: number }): boolean =>
    isAmong(viewer, summaryAudience(teamid)),
  /** Making a summary of one of these teams. */
  'shift.make': (viewer: Viewer, { teamids }: { teamids: readonly number[] }): boolean =>
    plansFor(viewer, teamids),
};

export const can = deciding(summaryRules);
