import type { StationAdminActions } from '#desktop/engine/api/stations.ts';
import { conflict } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import {
  type Station,
  type StationAccess,
  type StationDetail,
  stationDetail,
  stationSettings,
} from '#shared/model/station.ts';

import { mustProve } from './fixture-account.ts';

const hour = 3600;
const now = Math.floor(Date.now() / 1000);

const assembly: StationDetail = {
  stationid: 9190,
  accountid: '00000000-0000-4000-8000-000000009190',
  name: 'Assembly 3',
  place: 'Hall 2, next to the press',
  teams: [3],
  settings: stationSettings.parse({
    notice: 'The press is being serviced until noon.',
    categories: ['Bench Grinder'],
  }),
  status: 'enrolled',
  created_date: now - 900 * hour,
  code_expires_date: null,
  enrolled_date: now - 800 * hour,
  device: 'Benchbook on Linux',
  app_version: '1.0.0',
  contact_date: now - 2 * hour,
  is_connected: false,
  waiting: { count: 6, since: now - 2 * hour },
  failed_tries: 3,
  revoked_date: null,
  former_waiting: 1,
  people: [
    { userid: 9101, username: 'Ana Ruiz', since: now - 900 * hour, by_name: false, has_pin: true, badges: 1 },
    {
      userid: 9103,
      username: 'Ben Okafor',
      since: now - 90 * hour,
      by_name: true,
      has_pin: false,
      badges: 0,
    },
  ],
  former: [
    {
      userid: 9106,
      username: 'Tom Weber',
      until: now - 20 * hour,
      first_tried: now - hour,
      last_tried: now - hour,
      earliest: now - 26 * hour,
      latest: now - 21 * hour,
      decision: null,
      decided_by: null,
      decided_date: null,
    },
  ],
};

/** Stations, badges and PINs of a server in the memory of the page. */
export function stationAdminActions(): StationAdminActions {
  let all: StationDetail[] = [
    assembly,
    {
      ...assembly,
      stationid: 9191,
      name: 'Paint shop',
      place: '',
      status: 'waiting',
      enrolled_date: null,
      contact_date: null,
      device: null,
      app_version: null,
      waiting: null,
      failed_tries: null,
      former_waiting: 0,
      people: [],
      former: [],
    },
  ];
  const accesses = new Map<number, StationAccess>();
  const accessOf = (userid: number): StationAccess =>
    accesses.get(userid) ?? {
      userid,
      pin_date: now - 200 * hour,
      badges: [
        {
          station_badgeid: 51,
          userid,
          label: 'Blue key fob',
          issued_date: now - 200 * hour,
          issued_by: 9102,
          revoked_date: null,
          revoked_by: null,
        },
      ],
      stations: [{ stationid: 9190, name: 'Assembly 3' }],
    };
  const one = (stationid: number): StationDetail =>
    must(
      all.find((station) => station.stationid === stationid),
      'the station',
    );
  const change = (stationid: number, edit: Partial<StationDetail>): StationDetail => {
    const changed = { ...one(stationid), ...edit };
    all = all.map((station) => (station.stationid === stationid ? changed : station));
    return changed;
  };
  return {
    listStations: async () => all.map(({ people: _people, former: _former, ...station }): Station => station),
    async makeStation({ name, place = '', teams = [] }, proof) {
      mustProve(proof);
      const made = stationDetail.parse({ ...all[1], stationid: 9200 + all.length, name, place, teams });
      all = [...all, made];
      const { people: _people, former: _former, ...station } = made;
      return { station, code: { code: '7Q4XM-R2KD9', until: now + 900, exitCode: '48021375' } };
    },
    readStation: async (stationid) => one(stationid),
    changeStation: async (stationid, { settings, ...edit }, seen) => {
      const before = one(stationid);
      if (seen.place !== before.place) throw conflict(before);
      return change(
        stationid,
        stationDetail.parse({ ...before, ...edit, settings: { ...before.settings, ...settings } }),
      );
    },
    async newStationCode(stationid, proof) {
      mustProve(proof);
      change(stationid, { code_expires_date: now + 900 });
      return { code: '7Q4XM-R2KD9', until: now + 900, exitCode: '48021375' };
    },
    revokeStation: async (stationid) => change(stationid, { status: 'revoked', revoked_date: now }),
    addStationPerson: async (stationid, userid) => {
      const person = {
        userid,
        username: 'Maria Silva',
        since: now,
        by_name: true,
        has_pin: false,
        badges: 0,
      };
      return change(stationid, { people: [...one(stationid).people, person] });
    },
    removeStationPerson: async (stationid, userid) =>
      change(stationid, { people: one(stationid).people.filter((person) => person.userid !== userid) }),
    decideFormer: async (stationid, userid, decision) =>
      change(stationid, {
        former_waiting: 0,
        former: one(stationid).former.map((person) =>
          person.userid === userid
            ? {
                ...person,
                decision: decision === 'accept' ? ('accepted' as const) : ('refused' as const),
                decided_date: now,
                decided_by: 9101,
              }
            : person,
        ),
      }),
    stationArrivals: async () => [
      {
        arrivalid: 2,
        date: now - 2 * hour,
        recorded_date: now - 2 * hour - 60,
        userid: 9101,
        username: 'Ana Ruiz',
        action: 'POST /work_log',
        object: 'workLogEntry',
        objectid: '501',
      },
    ],
    stationAccess: async (userid) => accessOf(userid),
    async setStationPin(userid, _pin, proof) {
      mustProve(proof);
      accesses.set(userid, { ...accessOf(userid), pin_date: now });
    },
    async removeStationPin(userid) {
      accesses.set(userid, { ...accessOf(userid), pin_date: null });
    },
    async issueBadge(userid, _number, label, proof) {
      mustProve(proof);
      const made = {
        station_badgeid: 60,
        userid,
        label,
        issued_date: now,
        issued_by: 9101,
        revoked_date: null,
        revoked_by: null,
      };
      accesses.set(userid, { ...accessOf(userid), badges: [...accessOf(userid).badges, made] });
      return [made];
    },
    async revokeBadge(badgeid) {
      for (const userid of [9101, 9102, 9103]) {
        const access = accessOf(userid);
        const badges = access.badges.map((badge) =>
          badge.station_badgeid === badgeid ? { ...badge, revoked_date: now, revoked_by: 9101 } : badge,
        );
        accesses.set(userid, { ...access, badges });
      }
      return must(accessOf(9101).badges[0], 'the badge');
    },
  };
}
