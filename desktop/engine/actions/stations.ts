import { signOn } from '#shared/api/sign-on.ts';
import { stationBadges, stations } from '#shared/api/stations.ts';
import type { StationDetail } from '#shared/model/station.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '../account/core.ts';
import type { StationAdminActions } from '../api/stations.ts';
import { proofSender } from './proofs.ts';
import { serverClient } from './server-client.ts';
import { writeUnchanged } from './unchanged.ts';

const tables = { signOn, stations, stationBadges };

/** Most entries that one read of a list gets. */
const most = 200;

/** What the form of a station changes. */
const formOf = ({ name, place, teams, settings }: StationDetail) => ({ name, place, teams, settings });

/** Actions on stations, badges and PINs. They go to the server directly; nothing is stored on the device. */
export function stationAdminActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request'> };
}): StationAdminActions {
  const client = serverClient(core, tables);
  const prove = proofSender(client);
  return {
    listStations: () => client.stations.list({ query: { limit: most } }),
    makeStation: async (plan, proof) => {
      const {
        enrolment_code: code,
        exit_code: exitCode = null,
        ...station
      } = await prove(proof, (fields) => client.stations.create({ body: { ...plan, ...fields } }));
      const until = station.code_expires_date;
      return { station, code: code === undefined || until === null ? null : { code, until, exitCode } };
    },
    readStation: (stationid) => client.stations.read({ params: { stationid } }),
    changeStation: (stationid, edit, seen) =>
      writeUnchanged(core, {
        endpoint: stations.read,
        args: { params: { stationid } },
        isAsSeen: (now) => sameValue(formOf(now), formOf(seen)),
        write: (options) => client.stations.patch({ params: { stationid }, body: edit }, options),
      }),
    newStationCode: async (stationid, proof) => {
      const made = await prove(proof, (body) => client.stations.code({ params: { stationid }, body }));
      return { code: made.enrolment_code, until: made.code_expires_date, exitCode: made.exit_code ?? null };
    },
    revokeStation: (stationid) => client.stations.revoke({ params: { stationid } }),
    addStationPerson: (stationid, userid) => client.stations.addPerson({ params: { stationid, userid } }),
    removeStationPerson: (stationid, userid) =>
      client.stations.removePerson({ params: { stationid, userid } }),
    decideFormer: (stationid, userid, decision) =>
      decision === 'accept'
        ? client.stations.acceptFormer({ params: { stationid, userid } })
        : client.stations.refuseFormer({ params: { stationid, userid } }),
    stationArrivals: (stationid, offset) =>
      client.stations.arrivals({ params: { stationid }, query: { limit: most, offset } }),
    stationAccess: (userid) => client.stationBadges.access({ params: { userid } }),
    async setStationPin(userid, pin, proof) {
      await prove(proof, (fields) =>
        client.stationBadges.setPin({ params: { userid }, body: { pin, ...fields } }),
      );
    },
    async removeStationPin(userid) {
      await client.stationBadges.removePin({ params: { userid } });
    },
    issueBadge: (userid, number, label, proof) =>
      prove(proof, (fields) =>
        client.stationBadges.issue({ body: { badges: [{ userid, number, label }], ...fields } }),
      ),
    revokeBadge: (station_badgeid) => client.stationBadges.revoke({ params: { station_badgeid } }),
  };
}
