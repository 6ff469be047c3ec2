import type { AreaActions } from '#desktop/engine/areas/index.ts';
import type { stationActions as ofEngine } from '#desktop/engine/areas/stations.ts';
import type {
  StationHealth,
  StationOrder,
  StationPersonView,
  StationView,
} from '#desktop/engine/api/station-records.ts';
import { Problem } from '#shared/api/problem.ts';

import { minute } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

type StationActions = Pick<AreaActions, keyof ReturnType<typeof ofEngine>>;

/** Badges and PINs of the fixture's station. A PIN of zeros makes a wait. */
export const fixtureProofs = [
  { userid: 9101, badge: 'ANA', pin: '2468' },
  { userid: 9103, badge: 'BEN', pin: '1357' },
];

/** Ends station mode in the world. */
export const fixtureExitCode = '48021375';

const person = (userid: number, username: string): StationPersonView => {
  return { userid, username, imageGuid: null, hasPin: true, hasBadge: true, waitUntil: null };
};

/** The order of Ben Okafor, which runs at the station. */
export function demoStationOrder(): StationOrder {
  const now = Date.now();
  return {
    entryid: '507',
    workorderid: 'WO-1051',
    guideid: '9001',
    guideTitle: 'Belt replacement',
    userid: 9103,
    username: 'Ben Okafor',
    activeStepid: '90004',
    stepTitle: 'Remove the cover',
    stepNumber: 4,
    activeMs: 11 * minute,
    asOf: now,
  };
}

/** The station of the world. `person`: who is signed in; null: it is locked. */
export function demoStation(signedIn: 'Ana Ruiz' | null): StationView {
  const now = Date.now();
  return {
    stationid: 9190,
    name: 'Assembly 3',
    place: 'Hall 2, next to the press',
    notice: 'The press is being serviced until noon.',
    signIn: ['badge', 'tile'],
    idleSeconds: 120,
    categories: ['Bench Grinder'],
    tags: [],
    people: [
      person(9101, 'Ana Ruiz'),
      person(9103, 'Ben Okafor'),
      { ...person(9104, 'Maria Silva'), hasBadge: false },
      { ...person(9105, 'Mira Holm'), hasPin: false, hasBadge: false },
    ],
    person: signedIn === null ? null : { userid: 9101, username: signedIn, since: now - 5 * minute },
    lock: signedIn === null ? { why: 'started', userid: null, username: '', at: now } : null,
    running: [demoStationOrder()],
    standing: 'enrolled',
    waitUntil: null,
    failedTries: 0,
    hasExitCode: true,
    asOf: now - minute,
  };
}

/** What is wrong with the station of the world: it has had no contact for two hours, and its clock is slow. */
export function demoStationHealth({ stationid, name, standing, failedTries }: StationView): StationHealth {
  const now = Date.now();
  const waits = { count: 4, since: now - 118 * minute, needLead: 0, refused: 0 };
  return {
    stationid,
    name,
    server: 'https://guides.example.org',
    appVersion: '1.0.0',
    standing,
    contactAt: now - 120 * minute,
    isOnline: false,
    waiting: [
      { userid: 9101, username: 'Ana Ruiz', ...waits },
      { userid: 9106, username: 'Tom Weber', ...waits, count: 2, needLead: 2 },
    ],
    waitingCount: 6,
    clockOffset: 14 * minute,
    disk: 'ok',
    failedTries,
    trouble: null,
  };
}

/** The engine's actions on stations, in the fixture's world. */
export function stationActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
): StationActions {
  const station = (make: (now: StationView) => Partial<StationView>): void =>
    change((now) => ({ station: now.station === null ? null : { ...now.station, ...make(now.station) } }));
  const lock = (why: 'locked' | 'signed-out'): void =>
    station(({ person: last }) => ({
      person: null,
      lock: { why, userid: last?.userid ?? null, username: last?.username ?? '', at: Date.now() },
    }));
  const addresses = new Map<number, string>();
  return {
    async enrolStation(_server, code) {
      if (code === 'WRONG-CODE0')
        throw new Problem('invalid', 'This code is wrong, used or too old. Ask for a new one');
      change(() => ({ station: demoStation(null) }));
    },
    async leaveStation(proof) {
      if (proof !== null && 'code' in proof && proof.code !== fixtureExitCode)
        throw new Problem('forbidden', 'The code was not accepted. Try again');
      if (proof === null && world().station?.standing !== 'shut-out')
        throw new Problem('forbidden', 'An administrator must confirm this with their password');
      change((now) => ({
        station: null,
        session: { ...now.session, user: null, home: null, status: 'signed-out' },
      }));
    },
    async signInAtStation(proof) {
      const now = world().station;
      const found = fixtureProofs.find((one) => {
        if ('badge' in proof) return proof.badge === one.badge;
        return proof.pin === one.pin && (!('userid' in proof) || proof.userid === one.userid);
      });
      const one = now?.people.find(({ userid }) => userid === found?.userid);
      if (now === null || now === undefined || one === undefined) {
        const waitUntil = 'pin' in proof && /^0+$/.test(proof.pin) ? Date.now() + 30_000 : null;
        station(({ failedTries }) => ({ failedTries: failedTries + 1 }));
        return { result: 'wrong', waitUntil };
      }
      const { userid, username } = one;
      const address = addresses.get(userid) ?? null;
      station(() => ({ person: { userid, username, since: Date.now() }, lock: null }));
      const others = now.running.filter((order) => order.userid !== userid);
      return { result: 'signed-in', userid, username, address, others };
    },
    touchStation() {},
    lockStation: () => lock('locked'),
    async signOutOfStation() {
      addresses.delete(world().station?.person?.userid ?? 0);
      lock('signed-out');
    },
    noteStationAddress(address) {
      const userid = world().station?.person?.userid;
      if (userid !== undefined) addresses.set(userid, address);
    },
  };
}
