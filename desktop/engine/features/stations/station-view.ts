import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from 'rxjs';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { StationOrder, StationPersonView, StationView } from '#desktop/engine/api/station-records.ts';
import type { StationState } from '#desktop/engine/account/station/station.ts';
import type { StationPerson } from '#desktop/engine/account/station/verify.ts';
import { localEntries, orderViewMaker } from '../records/order-views.ts';
import type { Sources } from '../records/sources.ts';

/** The station that this device is; null: it is none. */
export function stationView(sources: Sources): Observable<StationView | null> {
  const isShutOut = sources.core.session.state.pipe(
    map(({ status }) => status === 'expired'),
    distinctUntilChanged(),
  );
  return combineLatest([sources.core.station.state, runningAtStation(sources), isShutOut]).pipe(
    map(([state, running, shutOut]) =>
      state === null ? null : viewOf(state, running ?? [], shutOut ? 'shut-out' : 'enrolled'),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function viewOf(
  state: StationState,
  running: StationOrder[],
  standing: StationView['standing'],
): StationView {
  const { self, person, lock, waits } = state;
  const { stationid, name, place, settings } = self;
  return {
    stationid,
    name,
    place,
    notice: settings.notice,
    signIn: settings.sign_in,
    idleSeconds: settings.idle_seconds,
    categories: settings.categories,
    tags: settings.tags,
    people: self.people
      .map((one) => personView(one, waits))
      .toSorted((a, b) => a.username.localeCompare(b.username) || a.userid - b.userid),
    person:
      person === null ? null : { userid: person.userid, username: person.username, since: person.since },
    lock,
    running,
    standing,
    waitUntil: state.waitUntil,
    failedTries: state.failedTries,
    hasExitCode: (self.exit ?? null) !== null,
    asOf: state.readAt,
  };
}

function personView(
  { userid, username, image, pin, badges, accountid }: StationPerson,
  waits: StationState['waits'],
): StationPersonView {
  return {
    userid,
    username,
    imageGuid: image?.guid ?? null,
    hasPin: pin !== null,
    hasBadge: badges.length > 0,
    waitUntil: waits.get(accountid) ?? null,
  };
}

/** The orders that run at this station, the one that began first comes first; null: this device is not a station. */
export function runningAtStation(sources: Sources): Observable<StationOrder[] | null> {
  const { core } = sources;
  const stationid = core.station.state.pipe(
    map((state) => state?.self.stationid ?? null),
    distinctUntilChanged(),
  );
  return stationid.pipe(switchMap((station) => (station === null ? of(null) : ordersAt(sources, station))));
}

function ordersAt(sources: Sources, station: number): Observable<StationOrder[]> {
  const { mirror } = sources.core;
  const running = combineLatest([mirror.all('workLog'), sources.calls, orderViewMaker(sources)]).pipe(
    map(([records, calls, view]) =>
      localEntries(records, calls, sources)
        .filter(({ facts }) => runsAt(facts, station))
        .map(view)
        .filter((order) => order.running && !order.frozen)
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map(
          ({ entryid, workorderid, guideid, guideTitle, userid, username, activeStepid, activeMs, asOf }) => {
            return {
              entryid,
              workorderid,
              guideid,
              guideTitle,
              userid,
              username,
              activeStepid,
              activeMs,
              asOf,
            };
          },
        ),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  return running.pipe(
    switchMap((orders) =>
      orders.length === 0
        ? of([])
        : combineLatest(
            orders.map((order) => {
              const guide = order.guideid.startsWith('tmp:') ? of(null) : mirror.one('guides', order.guideid);
              return guide.pipe(
                map((record) => ({ ...order, ...stepOf(record?.facts.steps ?? [], order.activeStepid) })),
              );
            }),
          ),
    ),
  );
}

/** Whether the time that runs in an order was begun at this station. */
function runsAt({ events }: EntryFacts, station: number): boolean {
  const last = events.findLast(({ type }) => type === 'start' || type === 'resume' || type === 'assume');
  return last?.stationid === station;
}

function stepOf(
  steps: readonly { stepid: number; title: string }[],
  activeStepid: string | null,
): Pick<StationOrder, 'stepTitle' | 'stepNumber'> {
  const at = steps.findIndex(({ stepid }) => String(stepid) === activeStepid);
  return { stepTitle: steps[at]?.title ?? '', stepNumber: at === -1 ? null : at + 1 };
}
