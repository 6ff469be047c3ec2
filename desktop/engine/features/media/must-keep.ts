import { type Observable, combineLatest, distinctUntilChanged, map } from 'rxjs';

import type { PlannedOrderFacts } from '#shared/model/planned-orders.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { isAssigned } from '#shared/rules/planned-orders.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { foldEntry } from '#shared/rules/work-log.ts';

import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import { isOpen } from '../records/overlay/applies.ts';
import type { Sources } from '../records/sources.ts';
import { teamidsOf } from '../records/teams.ts';

/**
 * The guides that stay on this device whatever a person chooses.
 *
 * - CARRY-3 These stay: guides of a planned order that the person is to do, of an own order that has not ended, with an
 *   unsaved draft, with a change that waits to be sent, and that were downloaded one by one. So do the 20 guides that were
 *   opened last in each tab since it was opened.
 */
export function mustKeep(sources: Sources): Observable<string[]> {
  return combineLatest([plannedGuides(sources), orderGuides(sources), changedGuides(sources)]).pipe(
    map((guideids) => [...new Set(guideids.flat())].toSorted()),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The guides of the planned orders that this person is to do, or is doing. */
function plannedGuides({ core, me, people }: Sources): Observable<string[]> {
  return combineLatest([core.mirror.all('plannedOrders'), me, people]).pipe(
    map(([records, { userid }, { teams }]) => {
      const own = { userid, teams: teamidsOf({ userid, teamid: null }, teams) };
      const isOwn = ({ status, holders, ...facts }: PlannedOrderFacts): boolean =>
        status === 'open' ? isAssigned(facts, own) : status === 'started' && holders.includes(userid);
      return records.flatMap(({ facts }) => (isOwn(facts) ? [String(facts.guideid)] : []));
    }),
  );
}

const holders = new WeakMap<EntryFacts, number | null>();

/** Who holds an order that has not ended; null after that. */
function holderOf(facts: EntryFacts): number | null {
  const known = holders.get(facts);
  if (known !== undefined) return known;
  const { status, userid } = foldEntry(facts);
  const holder = status === 'complete' || status === 'cancelled' ? null : userid;
  holders.set(facts, holder);
  return holder;
}

/** The guides of orders that this person holds; at a station, those of all its people. */
function orderGuides({ core, me }: Sources): Observable<string[]> {
  return combineLatest([core.mirror.all('workLog'), me, core.station.state]).pipe(
    map(([records, { userid }, station]) =>
      records.flatMap(({ facts }) => {
        const holder = holderOf(facts);
        const isKept = holder !== null && (station !== null || holder === userid);
        return isKept ? [String(facts.guideid)] : [];
      }),
    ),
  );
}

/** The guides with drafts, and those that waiting calls are about. */
function changedGuides({ calls, draftIds, resolve }: Sources): Observable<string[]> {
  return combineLatest([calls, draftIds]).pipe(
    map(([waiting, drafts]) => {
      const called = waiting.filter(isOpen).flatMap((call) => {
        const order = entryContextOf(call)?.guideid;
        const own = call.target.collection === 'guides' ? [call.target.id] : [];
        return order === undefined ? own : [...own, order];
      });
      return [...called, ...drafts].map(resolve).filter((id) => !id.startsWith('tmp:'));
    }),
  );
}
