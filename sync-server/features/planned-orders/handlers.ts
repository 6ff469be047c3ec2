import { plannedOrders } from '#shared/api/planned-orders.ts';
import { handle } from '#server/http/handle.ts';

import { planFollowUp } from './follow-up.ts';
import { mustChangePlanned, mustPlanFollowUp } from './policy.ts';
import { editPlanned, listPlanned, planOrder, representPlanned, withdrawPlanned } from './store.ts';

export const plannedOrderHandlers = handle(
  plannedOrders,
  {
    list: ({ query }, ctx) => listPlanned(ctx, query),
    read: ({ params }, ctx) => representPlanned(ctx, params.planned_orderid),
    create: ({ body }, ctx) => planOrder(ctx, body),
    followUp: {
      allow: ({ params }, ctx) => mustPlanFollowUp(ctx, params.deviationid),
      run: ({ params, body }, ctx) => planFollowUp(ctx, params.deviationid, body),
    },
    edit: {
      allow: async ({ params }, ctx) => void (await mustChangePlanned(ctx, params.planned_orderid)),
      run: ({ params, body, revisionid }, ctx) => editPlanned(ctx, params.planned_orderid, body, revisionid),
    },
    withdraw: {
      allow: async ({ params }, ctx) => void (await mustChangePlanned(ctx, params.planned_orderid)),
      run: ({ params, body, revisionid }, ctx) =>
        withdrawPlanned(ctx, params.planned_orderid, body.following === true, revisionid),
    },
  },
  {
    plannedOrder: (ctx, id) => representPlanned(ctx, Number(id)),
  },
);
