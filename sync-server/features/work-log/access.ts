import type { EntryFacts } from '#shared/model/work-log.ts';
import { decidesDeviations } from '#shared/rules/deviations.ts';
import { recordMeaningsOf } from '#shared/rules/record-signatures.ts';
import { isNamed } from '#shared/rules/second-person.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Principal } from '#server/storage/feed.ts';

import { guideAudience, isAmong, type GuideAccess } from '../audiences.ts';
import { guideRules } from '../guides/access.ts';
import { isSignedIn } from '#server/core/roles.ts';

/** An entry with its guide, which is undefined if it was deleted, and the present time in UNIX seconds. */
export interface EntryAccess {
  entry: EntryFacts;
  guide: GuideAccess | undefined;
  seconds: number;
}

/** How long a station reads an entry that was recorded at it after its end, seconds. */
export const stationReadsSeconds = 30 * 24 * 3600;

/** The leads of an entry: the owners of the teams that did the work. */
export function leadsOf({ teamids = [] }: Pick<EntryFacts, 'teamids'>): Principal[] {
  return teamids.map((teamid): Principal => `lead:${teamid}`);
}

/**
 * An entry can be seen by its current and earlier holders, by their leads, and by administrators. A suspended entry is offered to
 * everyone who may see the guide, and stays readable for them afterwards, so that a second person who wants it sees its
 * holder.
 *
 * - COSIGN-8 A person whom the holder names as a second person sees the order as long as they are named, and whoever
 *   confirmed something in it always does, with the guide or without it.
 * - STATION-10 A station reads the open entries and planned orders of its people, and the entries that were recorded at it
 *   until 30 days after their end.
 */
export function entryAudience({ entry, guide, seconds }: EntryAccess): Principal[] {
  const { participants, wasSuspended, work_data, userid: holder, endtime } = foldEntry(entry);
  const named = work_data.filter(isNamed).flatMap(({ second_person }) => second_person?.userid ?? []);
  const second = [...named, ...(entry.confirmations ?? []).map(({ userid }) => userid)];
  const isRecent = endtime === null || seconds <= endtime + stationReadsSeconds;
  const offered = wasSuspended && guide !== undefined ? guideAudience(guide) : [];
  return [
    'admin',
    ...leadsOf(entry),
    ...[...new Set([...participants, ...second])].map((userid): Principal => `user:${userid}`),
    ...(endtime === null ? [`stations:${holder}` as const] : []),
    ...(isRecent ? stationsOf(entry).map((stationid): Principal => `user:${stationid}`) : []),
    ...offered.map((principal): Principal => (principal === 'public' ? 'members' : principal)),
  ];
}

/** Whether a person sees every entry: administrators are in the audience of each. */
export function seesEveryEntry({ principals }: Pick<Viewer, 'principals'>): boolean {
  return principals.includes('admin');
}

/** The stations at which an entry was recorded. */
export function stationsOf({ events }: Pick<EntryFacts, 'events'>): number[] {
  return [...new Set(events.flatMap(({ stationid }) => stationid ?? []))];
}

/**
 * People who see a guide can start and assume entries of it. Everyone who ever held an entry can act on it, even after
 * losing access to the guide (spec, "States and transitions"). The current holder can delete it. Administrators can do
 * all of this for others, but confirm and sign nothing while they act as another person. A signed entry is kept.
 */
export const workLogRules = {
  'entry.see': (viewer: Viewer, access: EntryAccess): boolean => isAmong(viewer, entryAudience(access)),
  'entry.start': (viewer: Viewer, guide: GuideAccess): boolean =>
    isSignedIn(viewer) && guideRules['guide.see'](viewer, guide),
  'entry.act': (viewer: Viewer, { entry }: Pick<EntryAccess, 'entry'>): boolean =>
    viewer.isAdmin || (isSignedIn(viewer) && foldEntry(entry).participants.includes(viewer.userid)),
  'entry.assume': (viewer: Viewer, { guide }: Pick<EntryAccess, 'guide'>): boolean =>
    viewer.isAdmin || (guide !== undefined && isSignedIn(viewer) && guideRules['guide.see'](viewer, guide)),
  /** Confirming values as their second person. The form says who may, and a proof of identity is needed (COSIGN-3). */
  'entry.confirm': (viewer: Viewer, _access: Pick<EntryAccess, 'entry'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined,
  /** Handing the device to a colleague who confirms with their password. */
  'entry.confirmHere': (viewer: Viewer, access: Pick<EntryAccess, 'entry'>): boolean =>
    viewer.impersonator === undefined && workLogRules['entry.act'](viewer, access),
  /** Signing the record of an entry that ended. The meaning says who may, and a proof of identity is needed (WORK-RECORD-5). */
  'entry.sign': (viewer: Viewer, { entry }: Pick<EntryAccess, 'entry'>): boolean =>
    isSignedIn(viewer) && viewer.impersonator === undefined && mightSign(viewer, entry),
  /** Acting on an entry that another person holds. */
  'entry.actForHolder': (viewer: Viewer, _access: Pick<EntryAccess, 'entry'>): boolean => viewer.isAdmin,
  'entry.remove': (viewer: Viewer, { entry }: Pick<EntryAccess, 'entry'>): boolean =>
    entry.signatures === undefined &&
    (viewer.isAdmin || (isSignedIn(viewer) && foldEntry(entry).userid === viewer.userid)),
};

/** Whether somebody may sign the record of an entry, or may when it ends. */
function mightSign(viewer: Viewer, entry: EntryFacts): boolean {
  const { endtime, userid } = foldEntry(entry);
  return endtime === null
    ? userid === viewer.userid || decidesDeviations(viewer, entry)
    : recordMeaningsOf(viewer, entry).length > 0;
}
