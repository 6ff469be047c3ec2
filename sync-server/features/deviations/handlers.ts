import { deviations } from '#shared/api/deviations.ts';
import { handle } from '#server/http/handle.ts';

import { mustDecide, mustReport } from './policy.ts';
import { decideDeviation, listDeviations, reportDeviation, representDeviation } from './store.ts';

export const deviationHandlers = handle(
  deviations,
  {
    list: ({ query }, ctx) => listDeviations(ctx, query),
    read: ({ params }, ctx) => representDeviation(ctx, params.deviationid),
    create: async ({ body }, ctx) => {
      await mustReport(ctx, body.entryid);
      return reportDeviation(ctx, body);
    },
    decide: {
      allow: ({ params }, ctx) => mustDecide(ctx, params.deviationid),
      run: ({ params, body, revisionid }, ctx) => decideDeviation(ctx, params.deviationid, body, revisionid),
    },
  },
  {
    deviation: (ctx, id) => representDeviation(ctx, Number(id)),
  },
);
