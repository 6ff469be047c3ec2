import type { stationBadges, stations } from '#shared/api/stations.ts';

import { administrators, everybody, own, signedIn, type Cell, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

/** `team`: a station of the team that `owner` leads; `public`: one of a team to which no role belongs. */
const ofStation = (administrator: number, lead: number): Row['expect'] => ({
  team: `401 404 404 404 ${administrator} ${lead} 404`,
  public: `401 404 404 404 ${administrator} 404 404`,
});

const device: Row = { expect: { any: '401 403 403 403 403 403 403' } };
const helper: NonNullable<Row['ids']> = ({ world }) => ({ userid: world.helper.userid });
const named: NonNullable<Row['fresh']> = async ({ world, ids }) => {
  await world.admin('PUT', `/stations/${ids['stationid']}/people/${world.helper.userid}`);
  return {};
};

export const stationRows: RowsOf<typeof stations> = {
  list: { expect: { any: signedIn(200) } },
  create: { expect: { any: administrators(422) } },
  enroll: { expect: { any: everybody(422) } },
  self: device,
  report: device,
  read: { expect: ofStation(200, 200) },
  patch: { expect: ofStation(422, 403) },
  code: { expect: ofStation(422, 403) },
  revoke: { expect: ofStation(200, 200) },
  // The helper is in no team of the lead.
  addPerson: { expect: ofStation(200, 403), ids: helper },
  removePerson: { expect: ofStation(200, 200), ids: helper, fresh: named },
  // Nothing waits.
  acceptFormer: { expect: ofStation(404, 404), ids: helper },
  refuseFormer: { expect: ofStation(404, 404), ids: helper },
  arrivals: { expect: { team: administrators(200), public: administrators(200) } },
};

const withPin: NonNullable<Row['fresh']> = async ({ world, ids }) => {
  const body = { pin: '480213', current_password: 'a long password' };
  await world.admin('PUT', `/users/${ids['userid']}/station_pin`, body);
  return {};
};

export const stationBadgeRows: RowsOf<typeof stationBadges> = {
  access: [
    { expect: { own: own(200, 403), public: administrators(200) } },
    // A member of the team that `owner` leads.
    {
      expect: { team: '401 200 403 403 200 200 403 403' },
      ids: ({ world }) => ({ userid: world.person('user').userid }),
    },
  ],
  setPin: { expect: { own: own(422, 403), public: administrators(422) } },
  removePin: { expect: { own: own(204, 403), public: administrators(204) }, fresh: withPin },
  issue: [
    // Leads of any team: the team owner, and author and moderator, who have created a team in the rows of teams.
    { expect: { any: '401 403 422 422 422 422 403' } },
    {
      expect: { any: administrators(422) },
      body: ({ world }: Cell) => ({ badges: [{ userid: world.person('writer').userid, number: '1' }] }),
    },
  ],
  revoke: { expect: { own: '- 200 200 200 200 200 404', public: '401 404 404 404 200 404 404' } },
};
