import { combineLatest, distinctUntilChanged, map, Observable } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { StationHealth, StationWaiting } from '#desktop/engine/api/station-records.ts';
import type { SyncState } from '#desktop/engine/api/sync-records.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { needsLead } from '#desktop/engine/outbox/recorded.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { isOpen } from '../records/overlay/applies.ts';
import type { Sources } from '../records/sources.ts';

/** People in the list of what waits. */
const mostPeople = 10;

/**
 * What is wrong with the station.
 *
 * - STATION-ENGINE-11 Its support sees without a network: the last contact, what waits for whom and since when, the error of
 *   the clock, the state of the disk and the version.
 */
export function stationHealth(sources: Sources): Observable<StationHealth | null> {
  const { core } = sources;
  return combineLatest([
    core.station.state,
    core.session.state,
    core.sync.state,
    sources.calls,
    sources.names,
    diskOf(core.journal),
  ]).pipe(
    map(([state, { server, status }, sync, calls, names, disk]): StationHealth | null => {
      if (state === null) return null;
      const open = calls.filter(isOpen);
      const { stationid, name } = state.self;
      return {
        stationid,
        name,
        server: server ?? '',
        appVersion: core.appVersion,
        standing: status === 'expired' ? 'shut-out' : 'enrolled',
        contactAt: Math.max(sync.lastSyncedAt ?? 0, state.readAt),
        isOnline: sync.connection === 'online',
        waiting: waitingByPerson(open, names),
        waitingCount: open.length,
        clockOffset: core.clock.offset(),
        disk,
        failedTries: state.failedTries,
        trouble: troubleIn(sync),
      };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function waitingByPerson(calls: readonly OutboxCall[], names: ReadonlyMap<number, string>): StationWaiting[] {
  return [...Map.groupBy(calls, ({ userid }) => userid)]
    .map(([userid, own]) => ({
      userid,
      username: names.get(userid) ?? '',
      count: own.length,
      since: Math.min(...own.map(({ at }) => at)),
      needLead: own.filter(needsLead).length,
      refused: own.filter(({ state }) => state === 'parked' || state === 'conflict').length,
    }))
    .toSorted((a, b) => b.count - a.count || a.userid - b.userid)
    .slice(0, mostPeople);
}

function troubleIn({ trouble, interference, tooOld }: SyncState): string | null {
  if (trouble !== null) return trouble;
  if (tooOld !== null) return tooOld === 'app' ? 'The app must be updated' : 'The server must be updated';
  return interference === null
    ? null
    : `Something else answers in place of the server: ${interference.excerpt.slice(0, 80)}`;
}

function diskOf(journal: Pick<Journal, 'health' | 'watchHealth'>): Observable<StationHealth['disk']> {
  return new Observable((subscriber) => {
    const emit = ({ durability, writable, full }: ReturnType<Journal['health']>): void => {
      if (durability === 'memory' || !writable) subscriber.next('none');
      else subscriber.next(full ? 'full' : 'ok');
    };
    emit(journal.health());
    return journal.watchHealth(emit);
  });
}
