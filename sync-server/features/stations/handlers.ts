import { stationBadges, stations } from '#shared/api/stations.ts';
import { notFound } from '#shared/api/problem.ts';
import type { StationDetail } from '#shared/model/station.ts';
import type { Context, Remembered } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { mustActAsOneself, mustBeProved, withProof } from '../tokens/proof.ts';
import {
  issueBadges,
  mayIssue,
  mustSeeBadge,
  removePin,
  representAccess,
  representBadges,
  revokeBadge,
  setPin,
} from './badges.ts';
import { enrol, mustBeStation, representSelf, revokeStation, storeReport } from './enrolment.ts';
import { addPerson, removePerson } from './people.ts';
import {
  mayAddPerson,
  mustArrange,
  mustBePerson,
  mustGovern,
  mustGovernStation,
  mustManageAccess,
  mustSeeAccess,
  mustSeeStation,
} from './policy.ts';
import { listStations, representStation } from './record.ts';
import { createStation, decideFormer, editStation, listArrivals, makeCode, newExitCode } from './store.ts';

interface OfStation {
  params: { stationid: number };
}

function answered(ctx: Context, stationid: number): Promise<Remembered<StationDetail>> {
  return ctx.respondWithRecord('station', stationid, representStation(ctx, stationid));
}

function provedFor(action: string) {
  return { action, flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
}

const mayArrange = ({ params }: OfStation, ctx: Context): Promise<void> => mustArrange(ctx, params.stationid);

async function mayManage({ params }: { params: { userid: number } }, ctx: Context): Promise<void> {
  await mustManageAccess(ctx, params.userid);
  mustActAsOneself(ctx, 'cannot change how this person signs in');
}

export const stationHandlers = handle(
  stations,
  {
    list: ({ query }, ctx) => listStations(ctx, query),
    create: {
      allow: (_, ctx) => mustGovern(ctx),
      run: async ({ body }, ctx) => {
        const exit = await newExitCode(ctx);
        return withProof(ctx, body, provedFor('POST /stations'), async (write, isProved) => {
          mustBeProved(isProved);
          const stationid = await createStation(write, body);
          const { enrolment_code, exit_code } = await makeCode(write, stationid, exit);
          const record = { ...(await representStation(write, stationid)), enrolment_code, exit_code };
          return write.respondWithRecord('station', stationid, record);
        });
      },
    },
    enroll: ({ body }, ctx) => enrol(ctx, body),
    self: {
      allow: (_, ctx) => void mustBeStation(ctx),
      run: (_, ctx) => representSelf(ctx, mustBeStation(ctx)),
    },
    report: {
      allow: (_, ctx) => void mustBeStation(ctx),
      run: ({ body }, ctx) => storeReport(ctx, mustBeStation(ctx), body),
    },
    read: {
      allow: ({ params }, ctx) => mustSeeStation(ctx, params.stationid),
      run: ({ params }, ctx) => representStation(ctx, params.stationid),
    },
    patch: {
      allow: ({ params }, ctx) => mustGovernStation(ctx, params.stationid),
      run: async ({ params, body }, ctx) => {
        await editStation(ctx, params.stationid, body);
        return answered(ctx, params.stationid);
      },
    },
    code: {
      allow: ({ params }, ctx) => mustGovernStation(ctx, params.stationid),
      run: async ({ params, body }, ctx) => {
        const exit = await newExitCode(ctx);
        return withProof(ctx, body, provedFor('POST /stations/{stationid}/code'), (write, isProved) => {
          mustBeProved(isProved);
          return makeCode(write, params.stationid, exit);
        });
      },
    },
    revoke: {
      allow: mayArrange,
      run: async ({ params }, ctx) => {
        await revokeStation(ctx, params.stationid);
        return answered(ctx, params.stationid);
      },
    },
    addPerson: {
      allow: ({ params }, ctx) => mayAddPerson(ctx, params.stationid, params.userid),
      run: async ({ params }, ctx) => {
        await mustBePerson(ctx, params.userid, 'userid');
        await addPerson(ctx, params.stationid, params.userid);
        return answered(ctx, params.stationid);
      },
    },
    removePerson: {
      allow: mayArrange,
      run: async ({ params }, ctx) => {
        if (!(await removePerson(ctx, params.stationid, params.userid))) throw notFound('Member');
        return answered(ctx, params.stationid);
      },
    },
    acceptFormer: {
      allow: mayArrange,
      run: async ({ params }, ctx) => {
        await decideFormer(ctx, params, 'accepted');
        return answered(ctx, params.stationid);
      },
    },
    refuseFormer: {
      allow: mayArrange,
      run: async ({ params }, ctx) => {
        await decideFormer(ctx, params, 'refused');
        return answered(ctx, params.stationid);
      },
    },
    arrivals: {
      allow: ({ params }, ctx) => mustSeeStation(ctx, params.stationid),
      run: ({ params, query }, ctx) => listArrivals(ctx, params.stationid, query),
    },
  },
  {
    station: async (ctx, id) => {
      await mustSeeStation(ctx, Number(id));
      return representStation(ctx, Number(id));
    },
  },
);

export const stationBadgeHandlers = handle(
  stationBadges,
  {
    access: {
      allow: ({ params }, ctx) => mustSeeAccess(ctx, params.userid),
      run: ({ params }, ctx) => representAccess(ctx, params.userid),
    },
    setPin: { allow: mayManage, run: ({ params, body }, ctx) => setPin(ctx, params.userid, body) },
    removePin: { allow: mayManage, run: ({ params }, ctx) => removePin(ctx, params.userid) },
    issue: {
      allow: async ({ asked }, ctx) => {
        mustActAsOneself(ctx, 'issue no badges');
        await mayIssue(ctx, asked['badges']);
      },
      run: ({ body }, ctx) => issueBadges(ctx, body),
    },
    revoke: {
      allow: async ({ params }, ctx) => {
        const { userid } = await mustSeeBadge(ctx, params.station_badgeid);
        await mustManageAccess(ctx, userid);
      },
      run: ({ params }, ctx) => revokeBadge(ctx, params.station_badgeid),
    },
  },
  {
    station_badges: async (ctx, ids) => representBadges(ctx, ids.split(',').map(Number)),
    station_badge: (ctx, id) => mustSeeBadge(ctx, Number(id)),
  },
);
