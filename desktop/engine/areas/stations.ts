import { firstValueFrom } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';

import type {
  ExitProof,
  StationOrder,
  StationProof,
  StationSignInResult,
  StationSignOut,
} from '../api/station-records.ts';
import type { PresentPerson, Station } from '../account/station/station.ts';
import type { ActionContext } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { moveOrder } from '../features/move-order.ts';
import { stationHealth } from '../features/stations/health.ts';
import { runningAtStation, stationView } from '../features/stations/station-view.ts';
import type { Services } from '../features/services.ts';

/**
 * Live reads of the station that this device is. While it is one, `session().user` is the person who is signed in here,
 * with the privileges of a kiosk, and the account of the station while nobody is. So views show the orders of that person
 * as theirs.
 */
export function stationViews({ sources }: Services) {
  return {
    /** The station, who may sign in and who is signed in; null: this device is not a station. */
    station: () => toLive(stationView(sources)),
    /** What is wrong with the station, for its support; null: this device is not a station. */
    stationHealth: () => toLive(stationHealth(sources)),
  };
}

/** What people and administrators do at a station. While nobody is signed in there, every action that records throws. */
export function stationActions(context: ActionContext) {
  const { core } = context.sources;
  return {
    /**
     * Makes this device the station that a code belongs to; earlier devices of the station are shut out. Enrolling as the
     * same station again keeps everything that waits. Throws `Problem` with the server's words, and what `signIn` throws;
     * `apart` means the same.
     */
    enrolStation: async (server: string, code: string, apart?: boolean): Promise<void> => {
      await context.drafts.flush();
      await core.station.enrol(server, code, apart);
    },
    /**
     * Ends station mode; what waits stays on this device and is sent when it is enrolled as that station again. `proof`: of an
     * administrator: the exit code, checked here, or the password, checked by the server; null is enough only while the station is shut out. Throws `Problem`.
     */
    leaveStation: (proof: ExitProof | null): Promise<void> => core.station.leave(proof),
    /**
     * Signs a person in here, without a network too; whoever was signed in is locked first. Throws `Problem` when this device
     * is not a station, is shut out, or does not take this kind of proof.
     */
    signInAtStation: (proof: StationProof): Promise<StationSignInResult> => signIn(context, proof),
    /** Notes a touch or key: the station locks `idleSeconds` after the last one. */
    touchStation: (): void => core.station.present()?.touch(),
    /** Locks the station: running orders go on, and the same person returns to where they were. */
    lockStation: (): void => core.station.present()?.lock('locked'),
    /** Signs the person out. The next time they begin at the home screen. Throws `Problem` when an order cannot be moved. */
    signOutOfStation: (how: StationSignOut): Promise<void> => signOut(context, how),
    /** Notes where in the app the person is (path and query), so that they return there after a lock or a restart. */
    noteStationAddress: (address: string): void => core.station.present()?.noteAddress(address),
  };
}

function mustBeStation({ sources }: ActionContext): Station {
  const station = sources.core.station.present();
  if (station === null) throw new Problem('invalid', 'This device is not a station');
  return station;
}

async function signIn(context: ActionContext, proof: StationProof): Promise<StationSignInResult> {
  const station = mustBeStation(context);
  const tried = await station.signIn(proof);
  if (tried.result !== 'right') return { result: tried.result, waitUntil: tried.until };
  const {
    person: { userid, username },
    address,
  } = tried;
  const others = (await runningNow(context)).filter((order) => order.userid !== userid);
  return { result: 'signed-in', userid, username, address, others };
}

/**
 * - STATION-ENGINE-10 A person who signs out decides about their orders that run here: they pause, are offered to others with
 *   a note, or go on. If one cannot be moved, the person stays signed in.
 */
async function signOut(context: ActionContext, how: StationSignOut): Promise<void> {
  const station = mustBeStation(context);
  const { person } = station.now;
  if (person === null) return;
  const own = how.orders === 'keep-running' ? [] : await ownOrders(context, person);
  for (const { entryid } of own)
    await ('note' in how
      ? moveOrder(context, entryid, 'suspend', { note: how.note })
      : moveOrder(context, entryid, 'pause'));
  // Somebody else may have signed in meanwhile.
  if (station.now.person?.accountid === person.accountid) station.lock('signed-out');
}

async function ownOrders(context: ActionContext, { userid }: PresentPerson): Promise<StationOrder[]> {
  return (await runningNow(context)).filter((order) => order.userid === userid);
}

async function runningNow({ sources }: ActionContext): Promise<StationOrder[]> {
  return (await firstValueFrom(runningAtStation(sources))) ?? [];
}
